"""The fields of a claim, by the keys that stand for them."""

# --- exported

_FIELDS = {
    **dict.fromkeys(("claim", "statement", "text", "afirmacion", "texto"), "claim"),
    **dict.fromkeys(("kind", "type", "tipo", "clase"), "kind"),
    **dict.fromkeys(("claims", "statements", "afirmaciones"), "list"),
}
