"""Does `anonymize` let secrets or lists of hosts through: made leaks of many kinds, and logs that should stay."""

import argparse
from pathlib import Path

from evals.leaking.host_lists import host_lists
from evals.leaking.kinds import KINDS
from evals.leaking.spellings import leaks
from evals.report import Report, Table
from schedmate.readers.anonymizer import Anonymizer
from schedmate.tools.masking import MASK, mask_text

LOGS = {".log", ".out", ".err", ".txt"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take how many seeds are drawn, and folders of healthy logs."""
    parser.add_argument("logs", nargs="*", type=Path, metavar="DIR", help="healthy logs, whose lines should stay")
    parser.add_argument("--seeds", type=int, default=5, help="how often the leaks are drawn anew")
    parser.add_argument("--show", action="store_true", help="print what leaked and what was changed")


def run(options: argparse.Namespace) -> Report:
    """Count what is still there after masking, and lines of healthy logs in which something was taken for a secret."""
    told: list[str] = []
    drawn = [leak for seed in range(options.seeds) for leak in leaks(seed)]
    rows: list[tuple[str, int, int]] = []
    for name, rewrite in (("anonymize", anonymized), ("prompts", mask_text)):
        missed = [(what, text) for what, text, secret in drawn if secret in rewrite(text)]
        told += [f"{name} leaks {what}: {text}" for what, text in missed]
        rows.append((name, len(drawn), len(missed)))
    lists = [one for seed in range(options.seeds) for one in host_lists(seed)]
    kept = [(form, text) for form, text, stem in lists if stem in anonymized(text)]
    told += [f"anonymize leaks hosts, {form}: {text}" for form, text in kept]
    lines = changed = 0
    for path in (path for folder in options.logs for path in sorted(folder.rglob("*")) if path.suffix in LOGS):
        before = path.read_bytes().decode("utf-8", "replace")
        for old, new in zip(before.splitlines(), mask_text(before).splitlines(), strict=True):
            lines += 1
            if MASK in new and old != new:
                changed += 1
                told.append(f"{path.name}: {old[:200]}")
    title = f"leaks of {len(KINDS)} kinds with a name, and of those without"
    tables = [Table(title, ("where", "leaks", "missed"), rows)]
    tables.append(
        Table(
            "lists of hosts, which prompts keep", ("where", "lists", "missed"), [("anonymize", len(lists), len(kept))]
        )
    )
    if lines:
        share = [(lines, changed, 100 * changed / lines)]
        tables.append(Table("healthy logs", ("lines", "with something taken for a secret", "%"), share))
    return Report(tables, told if options.show else ())


def anonymized(text: str) -> str:
    """Rewrite a text as `anonymize` does."""
    rewriter = Anonymizer()
    return "".join(rewriter.line(row) for row in text.splitlines(keepends=True))
