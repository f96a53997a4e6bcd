"""The fields of a verdict, by the keys that stand for them."""

# --- exported

_FIELDS = {
    **dict.fromkeys(("label", "etiqueta"), "label"),
    **dict.fromkeys(("verdict", "veredicto"), "verdict"),
    **dict.fromkeys(("reasoning", "reason", "rationale", "explanation", "justification"), "reasoning"),
    **dict.fromkeys(("razonamiento", "razon", "explicacion", "justificacion"), "reasoning"),
    **dict.fromkeys(("confidence", "probability", "confianza", "probabilidad"), "confidence"),
}
