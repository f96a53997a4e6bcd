"""The inputs of a judge, found in what tools hand to an evaluator: inputs, outputs and a reference."""

from __future__ import annotations

from calibrate.export.asking import field_names
from calibrate.export.bundle import Exported
from calibrate.export.literals import literal

__all__ = ["parts_code"]

_CODE = '''\
INPUT: str | None = {input}  # the input that a text given as inputs is
OUTPUT: str | None = {output}  # the input that a text given as outputs is; never taken from a reference


def _inputs_from(inputs: Any, outputs: Any, reference: Any) -> dict[str, Any]:
    """Return the judge's inputs by name: from the outputs, else from the inputs, else from the reference."""
    found: dict[str, Any] = {{}}
    if isinstance(reference, Mapping):
        found.update((name, value) for name, value in reference.items() if name != OUTPUT)
    for part, name in ((inputs, INPUT), (outputs, OUTPUT)):
        if isinstance(part, Mapping):
            found.update(part)
        elif part is not None and name is not None:
            found[name] = part
    return found
'''


def parts_code(exported: Exported) -> str:
    """Return the function ``_inputs_from(inputs, outputs, reference)``."""
    roles = field_names(exported)
    return _CODE.format(input=literal(roles.get("input")), output=literal(roles.get("output")))
