"""The module as a script."""

from __future__ import annotations

import json
import sys

from calibrate.export.standalone.render_block import render

# --- exported


def _main() -> int:
    """Read one JSON object of inputs per line, and print the request for each as one line of JSON."""
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        try:
            request = json.dumps(render(json.loads(line.decode("utf-8-sig"))), ensure_ascii=False)
        except (TypeError, ValueError) as error:
            sys.stderr.write(f"line {number}: {error}\n")
            return 2
        # An unpaired surrogate has no UTF-8 form; written with a backslash it is the same JSON.
        sys.stdout.buffer.write(f"{request}\n".encode("utf-8", "backslashreplace"))
    return 0


if __name__ == "__main__":
    sys.exit(_main())
