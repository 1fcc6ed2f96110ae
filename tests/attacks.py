"""Attack what this house promises, by theme, and print a table: `make test-attacks`. Seeds are new each time.

Each theme is a set of tests with real processes, stores and programs; the suite runs the same, with fewer rounds. A
theme gets a share of the time; how often it kills and draws follows from that.
"""

import argparse
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

SEED = int(os.environ.get("ATTACK_SEED") or time.time_ns() % 10**6)
LIVE, RECOVERY = "tests/scheduling/live", "tests/scheduling/recovery"
PAGE = Path("docs/attacks.md")
COUNTS = re.compile(r"(\d+) (passed|failed|error|skipped)")
PATIENCE = 3.0
"""A theme that takes this many times its share is ended: something hangs. On a busy machine it gets more."""


@dataclass(frozen=True)
class Theme:
    """What is attacked, with which tests, for which share of the time."""

    name: str
    paths: tuple[str, ...]
    share: float
    settings: Callable[[float], dict[str, str]] = field(default=lambda limit_s: {})
    """Rounds by the seconds that there are."""


def rounds(name: str, each_s: float) -> Callable[[float], dict[str, str]]:
    """Set how many rounds a theme takes, from what one of them takes on a quiet machine."""
    return lambda limit_s: {name: f"{max(5, int(0.6 * limit_s / each_s))}"}


THEMES = (
    Theme("orders of requests, events and kills", (f"{LIVE}/test_orders.py",), 0.08, rounds("ORDER_EXAMPLES", 0.2)),
    Theme(
        "kills of the loop at random lines", (f"{LIVE}/test_faults.py",), 0.10,
        lambda limit_s: {**rounds("FAULT_KILLS", 0.8)(limit_s), "FAULT_SEED": f"{SEED}"},
    ),
    Theme("kills between an act and its record", (f"{RECOVERY}/test_kills.py", f"{RECOVERY}/test_approvals.py"), 0.08),
    Theme(
        "logs and models that claim faults",
        (f"{RECOVERY}/test_evidence.py", f"{LIVE}/test_driver_decides.py", "tests/agents/test_failure_judge.py"), 0.10,
    ),
    Theme(
        "stores moved, restored, cut, exchanged, damaged",
        (f"{LIVE}/test_identity.py", f"{LIVE}/test_presence.py"), 0.14,
    ),
    Theme("loss of power", ("tests/history/test_power_loss.py",), 0.05),
    Theme(
        "jobs that escape, grow, hang; clocks that jump",
        ("tests/clusters/local/test_cluster.py", f"{LIVE}/test_trouble.py"), 0.08,
    ),
    Theme("jobs that forge the folder of their run", (f"{LIVE}/test_forged_folders.py",), 0.07),
    Theme(
        "one loop for all accounts, with real accounts",
        (f"{LIVE}/test_shared.py", "tests/watching/test_owners.py"), 0.12,
    ),
    Theme("rights, and a trail that is forged", (f"{LIVE}/test_rights.py", "tests/cli/test_actions.py"), 0.05),
    Theme(
        "what a machine runs out of, and what is kept too long",
        (f"{LIVE}/test_shortages.py", f"{LIVE}/test_retention.py", "tests/watching/test_full_disk.py"), 0.07,
    ),
    Theme(
        "hostile text on terminals and pages", ("tests/cli/test_hostile_text.py", "tests/cli/test_following.py"), 0.05
    ),
    Theme(
        "planted modules and settings, hostile trees, logs with holes, passwords",
        (
            "tests/cli/test_planted_code.py", "tests/test_settings.py", "tests/tools/test_repository.py",
            "tests/tools/test_holes.py", "tests/cli/test_passwords_in_urls.py",
        ), 0.03,
    ),
)  # fmt: skip
HEAD = f"| attack | passed | failed | skipped | s | CPU s | verdict | when, seed, load |\n{'|---' * 8}|\n"
ABOUT = """# What was attacked, and what held

Written by `make test-attacks ATTACKS=--page`, which is to take ten minutes on a quiet machine of two cores, or theme
by theme with `ATTACKS="--page --only WORD"`: that one's row is replaced, the others stay. A theme is a set of tests
with real processes, stores, terminals, file systems and accounts. Seeds are new each time; `ATTACK_SEED=N` repeats the
kills. Seconds are the clock's, the load that of all who used the machine when the theme began; CPU seconds are the
theme's. Skipped are tests whose ground the machine lacks; they say so by name.

"""


def main() -> int:
    """Run the themes one after the other; give how many did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="WORD", help="the themes that have this in their names")
    parser.add_argument("--budget", type=float, default=600.0, metavar="S", help="seconds for all themes together")
    parser.add_argument("--page", action="store_true", help=f"write the rows into {PAGE}, too")
    asked = parser.parse_args()
    print(f"seed {SEED} (ATTACK_SEED={SEED} repeats the kills)\n\n{HEAD}", end="")
    broken = 0
    for theme in THEMES:
        if asked.only in theme.name:
            row, held = attack(theme, asked.budget * theme.share)
            print(row, flush=True)
            broken += held is not True
            if asked.page:
                write_row(theme, row)
    return broken


def attack(theme: Theme, limit_s: float) -> tuple[str, bool | None]:
    """Run one theme; give its row, and whether all held; None where it came to no end."""
    began_s, load, environment = time.monotonic(), os.getloadavg()[0], {**os.environ, "ACCOUNT_TESTS": "1"}
    spent_s = cpu_s()
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *theme.paths]
    told: list[object] = ["?", "?", "?"]
    held = None
    most_s = PATIENCE * limit_s * max(1.0, load / len(os.sched_getaffinity(0)))
    environment |= theme.settings(limit_s)
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, start_new_session=True
    )
    try:
        said, _ = process.communicate(timeout=most_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    else:
        held = process.returncode == 0
        if not held:
            sys.stderr.write(said[-6000:])
        counts = {word: int(number) for number, word in COUNTS.findall((said.splitlines() or [""])[-1])}
        told = [counts.get("passed", 0), counts.get("failed", 0) + counts.get("error", 0), counts.get("skipped", 0)]
    verdict = {True: "holds", False: "BROKEN", None: f"no end within {most_s:.0f} s"}[held]
    told += [f"{time.monotonic() - began_s:.0f}", f"{cpu_s() - spent_s:.0f}", verdict]
    return f"| {theme.name} | {' | '.join(map(str, told))} | {date.today():%Y-%m-%d}, {SEED}, {load:.0f} |", held


def cpu_s() -> float:
    """Give the processor time of all that has ended below us."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def write_row(theme: Theme, row: str) -> None:
    """Put one theme's row into the page, in the place of its last."""
    known = PAGE.read_text("utf-8").splitlines() if PAGE.exists() else []
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in known if line.startswith("| ")}
    rows[theme.name] = row
    missing = [one.name for one in THEMES if one.name not in rows]
    rest = f"\nWithout a row yet, so not known from this page: {'; '.join(missing)}.\n" if missing else ""
    PAGE.write_text(ABOUT + HEAD + "".join(f"{rows[one.name]}\n" for one in THEMES if one.name in rows) + rest, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
