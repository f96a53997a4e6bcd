"""The fields of a verdict on a claim, by the keys that stand for them."""

# --- exported

_FIELDS = {
    **dict.fromkeys(("claim", "statement", "afirmacion", "number", "numero"), "claim"),
    **dict.fromkeys(("reasoning", "reason", "justification", "razonamiento", "justificacion"), "reasoning"),
    **dict.fromkeys(("quote", "evidence", "cita"), "quote"),
    **dict.fromkeys(("label", "verdict", "etiqueta", "veredicto"), "label"),
    **dict.fromkeys(("verdicts", "veredictos", "claims", "afirmaciones"), "list"),
}
