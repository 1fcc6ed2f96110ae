"""Run a command as `python -m schedmate` does; after its answer, say on a line of its own what it asked of models."""

import json
import sys
from runpy import run_module

from schedmate.tools.memory_limit import TOO_MUCH, keep_small


def main() -> None:
    """Do it; the command ends with its own code."""
    keep_small()
    try:
        run_module("schedmate", run_name="__main__", alter_sys=True)
    except MemoryError:
        sys.exit(f"error: {TOO_MUCH}")
    finally:
        calls = sys.modules.get("schedmate.models.call_counts")
        if calls is not None and (told := calls.CALLS.drained()):
            print(json.dumps({"model_calls": told}), flush=True)


if __name__ == "__main__":
    main()
