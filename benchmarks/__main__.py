"""Run the benchmarks that are named, or all: `python -m benchmarks [--json] [NAME...]`."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from benchmarks import Figure

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def written(figure: Figure) -> str:
    """Write a figure on one line, with its goal where there is one."""
    value = f"{figure.value:,.0f}" if abs(figure.value) >= 100 else f"{figure.value:.3g}"
    line = f"  {figure.what:52} {value:>14} {figure.unit}"
    if figure.goal is None:
        return line
    relation = "<=" if figure.less_is_better else ">="
    return f"{line}  (goal {relation} {figure.goal:,g}: {'holds' if figure.holds else 'MISSED'})"


def main(arguments: Sequence[str]) -> int:
    """Measure one benchmark after the other; the exit code tells whether each goal holds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(NAMES)}; without one, all")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.names) - set(NAMES)):
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are: {', '.join(NAMES)}")
    missed = False
    measured: dict[str, list[Figure]] = {}
    for name in options.names or NAMES:
        measured[name] = import_module(f"benchmarks.{name}").measure()
        missed |= any(figure.holds is False for figure in measured[name])
        if not options.as_json:
            print(name, *(written(figure) for figure in measured[name]), sep="\n", flush=True)
    if options.as_json:
        print(
            json.dumps({name: [asdict(figure) for figure in figures] for name, figures in measured.items()}, indent=2)
        )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
