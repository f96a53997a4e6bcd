"""Tell whether an LLM judge is right, make it right, and know what that costs."""
