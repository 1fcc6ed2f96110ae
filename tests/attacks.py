"""Attack what this house promises, by theme, and print a table: `make test-attacks`. Seeds are new each time.

Each theme is a set of tests with real processes, stores and programs; the suite runs the same, with fewer rounds.
"""

import os
import re
import subprocess
import sys
import time

SEED = int(os.environ.get("ATTACK_SEED") or time.time_ns() % 10**6)
LIMIT_S = 600.0
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


def main() -> int:
    """Run the themes one after the other; give how many did not hold."""
    print(f"seed {SEED} (ATTACK_SEED={SEED} repeats the kills)\n")
    print("| attack | tests | s | verdict |\n|---|---|---|---|")
    broken, begun_s = 0, time.monotonic()
    for theme, (paths, settings) in THEMES.items():
        left_s = LIMIT_S - (time.monotonic() - begun_s)
        words, held = attack(paths, settings, left_s) if left_s > 0 else ("0", None)
        verdict = {True: "holds", False: "BROKEN", None: "not run: the time was up"}[held]
        print(f"| {theme} | {words} | {verdict} |", flush=True)
        broken += held is not True
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
        return f"? | {limit_s:.0f}", None
    if done.returncode:
        sys.stderr.write(done.stdout[-6000:] + done.stderr[-2000:])
    counts = {word: int(number) for number, word in COUNTS.findall(done.stdout.splitlines()[-1])}
    return f"{counts.get('passed', 0)} | {time.monotonic() - begun_s:.0f}", done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
