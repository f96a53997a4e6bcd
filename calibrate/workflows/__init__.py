"""The use cases, one module each: the only place where store, models and the core are wired together."""
