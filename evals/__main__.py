"""Run one eval: `python -m evals NAME [--json] [--plot FILE] ...`; without a name, list them."""

import argparse
import ast
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from evals.report import Report, print_report, save_plot
from schedmate.errors import SchedMateError

HERE = Path(__file__).parent
NOT_EVALS = {"__init__", "__main__", "published", "report", "statistics"}


def list_evals() -> dict[str, str]:
    """Give each eval's name and the first line of its docstring, without importing any."""
    names = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NOT_EVALS)
    about = {name: ast.get_docstring(ast.parse((HERE / f"{name}.py").read_text("utf-8"))) or "" for name in names}
    return {name: text.partition("\n")[0] for name, text in about.items()}


def run_eval(name: str, arguments: Sequence[str]) -> None:
    """Import one eval, run it on its arguments and print what it found."""
    module = import_module(f"evals.{name}")
    parser = argparse.ArgumentParser(prog=f"python -m evals {name}", description=module.__doc__)
    parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the figure into FILE (png, svg, pdf)")
    if hasattr(module, "add_arguments"):
        module.add_arguments(parser)
    options = parser.parse_args(arguments)
    report: Report = module.run(options)
    if options.as_json:
        print(report.as_json())
    else:
        print_report(report)
    if options.plot:
        drawn = save_plot(report, options.plot)
        print(f"wrote {options.plot}" if drawn else "this eval has no figure", file=sys.stderr)


def main(arguments: Sequence[str]) -> int:
    """Find the eval that is named; an unknown name lists those there are."""
    evals = list_evals()
    if not arguments or arguments[0] in {"-h", "--help"}:
        print("usage: python -m evals NAME [--json] [--plot FILE] ...\n")
        print("\n".join(f"  {name:12} {about}" for name, about in evals.items()))
        return 0
    name = arguments[0].replace("-", "_")
    if name not in evals:
        print(f"error: there is no eval '{arguments[0]}'; there are: {', '.join(evals)}", file=sys.stderr)
        return 2
    try:
        run_eval(name, arguments[1:])
    except SchedMateError as error:
        print(f"error: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"hint: {error.hint}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in {"", "evals", "schedmate"}:
            raise
        print(f"error: this eval needs {error.name}\nhint: pip install 'schedmate[dev]'", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
