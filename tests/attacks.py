"""Attack what this house promises, by theme, and print a table: `make test-attacks`. Seeds are new each time.

Each theme is a set of tests with real processes, stores and programs; the suite runs the same, with fewer rounds.
"""

import os
import re
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

SEED = int(os.environ.get("ATTACK_SEED") or time.time_ns() % 10**6)
LIMIT_S = float(os.environ.get("ATTACK_LIMIT_S") or 600.0)
LIVE, RECOVERY = "tests/scheduling/live", "tests/scheduling/recovery"
THEMES = {
    "orders of requests, events and kills": ([f"{LIVE}/test_orders.py"], {"ORDER_EXAMPLES": "150"}),
    "kills of the loop at random lines": ([f"{LIVE}/test_faults.py"], {"FAULT_KILLS": "60", "FAULT_SEED": f"{SEED}"}),
    "kills between a deed and its word": ([f"{RECOVERY}/test_kills.py", f"{RECOVERY}/test_approvals.py"], {}),
    "logs and models that claim faults": (
        [f"{RECOVERY}/test_evidence.py", f"{LIVE}/test_driver_decides.py", "tests/agents/test_failure_judge.py"], {},
    ),
    "stores moved, restored, cut, damaged": ([f"{LIVE}/test_identity.py"], {}),
    "loss of power": (["tests/history/test_power_loss.py"], {}),
    "clocks, full disks, jobs that escape, grow, hang": (
        ["tests/clusters/test_local.py", f"{LIVE}/test_trouble.py", f"{LIVE}/test_up.py"], {},
    ),
    "one loop for all accounts, with real accounts": ([f"{LIVE}/test_shared.py"], {"ACCOUNT_TESTS": "1"}),
    "rights, and a trail that is forged": ([f"{LIVE}/test_rights.py", "tests/cli/test_actions.py"], {}),
    "what a machine runs out of, and what is kept too long": (
        [f"{LIVE}/test_shortages.py", f"{LIVE}/test_retention.py"], {},
    ),
    "hostile text on terminals": (["tests/cli/test_hostile_text.py", "tests/cli/test_terminal.py"], {}),
    "planted modules and settings": (["tests/cli/test_planted_code.py", "tests/test_settings.py"], {}),
}  # fmt: skip
COUNTS = re.compile(r"(\d+) (passed|failed|error|skipped)")


PAGE = """# What was attacked, and what held

Written by `make test-attacks ATTACKS=--page` on {day}: seed {seed} (`ATTACK_SEED={seed}` repeats the kills), {cores}
cores, a load of {load:.0f} when it began, {limit:.0f} s at most, {took:.0f} s taken. A theme is a set of tests with
real processes, stores, terminals, file systems and accounts; seeds are new each time. Skipped are tests whose ground
this machine lacks; they say so by name.

"""


def main() -> int:
    """Run the themes one after the other; give how many did not hold. `--page` writes docs/attacks.md, too."""
    print(f"seed {SEED} (ATTACK_SEED={SEED} repeats the kills)\n")
    table = ["| attack | passed | failed | skipped | s | verdict |", "|---|---|---|---|---|---|"]
    print("\n".join(table))
    broken, begun_s, load = 0, time.monotonic(), os.getloadavg()[0]
    for theme, (paths, settings) in THEMES.items():
        left_s = LIMIT_S - (time.monotonic() - begun_s)
        words, held = attack(paths, settings, left_s) if left_s > 0 else ("0 | 0 | 0 | 0", None)
        verdict = {True: "holds", False: "BROKEN", None: "not run to its end: the time was up"}[held]
        table.append(f"| {theme} | {words} | {verdict} |")
        print(table[-1], flush=True)
        broken += held is not True
    if "--page" in sys.argv:
        took_s = time.monotonic() - begun_s
        day, cores = f"{date.today():%Y-%m-%d}", len(os.sched_getaffinity(0))
        head = PAGE.format(day=day, seed=SEED, cores=cores, load=load, limit=LIMIT_S, took=took_s)
        Path("docs/attacks.md").write_text(head + "\n".join(table) + "\n", "utf-8")
    return broken


def attack(paths: list[str], settings: dict[str, str], limit_s: float) -> tuple[str, bool | None]:
    """Run one theme; tell how many tests it was, how long it took, and whether all held."""
    begun_s = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *paths]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=limit_s, env={**os.environ, **settings}
        )
    except subprocess.TimeoutExpired:
        return f"? | ? | ? | {limit_s:.0f}", None
    if done.returncode:
        sys.stderr.write(done.stdout[-6000:] + done.stderr[-2000:])
    counts = {word: int(number) for number, word in COUNTS.findall(done.stdout.splitlines()[-1])}
    told = [counts.get("passed", 0), counts.get("failed", 0) + counts.get("error", 0), counts.get("skipped", 0)]
    return " | ".join(f"{count}" for count in (*told, round(time.monotonic() - begun_s))), done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
