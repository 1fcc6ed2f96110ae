"""What a host tells of itself and of the GPUs of the nodes on it.

It is asked in this process or, as a program on the host, by JSON: it reads a question and answers in one line.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from schedmate.tools.gpu_health import ailments
from schedmate.tools.gpus import Gpus
from schedmate.tools.node_health import Area, look

FAILED = re.compile(r"^\|[ ]*(\w[^|\n]{0,60}?)[ ]*\|[ ]*Fail\b", re.MULTILINE)
"""A row of dcgmi's table; its exit status alone may also say that no daemon runs."""


class Question(NamedTuple):
    """What is to be looked at."""

    areas: Sequence[Area]
    since_s: float
    devices: dict[str, Sequence[int]]
    """GPUs of each node, as the host numbers them."""
    idle: dict[str, Sequence[int]]
    """Those that may be tested."""
    dcgmi: str
    limit_s: float
    """Time for the test of one node's GPUs."""


class NodeReport(TypedDict):
    """What was seen; a node that is missing was not seen."""

    driver: dict[str, list[str]]
    """What NVML finds wrong with each node's GPUs."""
    tested: dict[str, list[str]]
    """What NVIDIA's diagnostics found."""
    looked: list[str]
    """Areas of the host that could be looked at."""
    faults: list[str]
    doubts: list[str]
    """What is not well there, and what could not be seen: nobody is cleared by it."""


def examine(asked: Question) -> NodeReport:
    """Look at this host."""
    owned = [device for each in asked.devices.values() for device in each]
    told = (by_driver(owned) if owned else None) or {}
    driver = {
        node: [words for device in each if device in told for words in told[device]]
        for node, each in asked.devices.items()
        if any(device in told for device in each)
    }
    program = shutil.which(asked.dcgmi)
    tests = {node: run_dcgmi(program, each, asked.limit_s) for node, each in asked.idle.items()}
    seen = {area: look(area, since_s=asked.since_s) for area in asked.areas}
    return {
        "driver": driver,
        "tested": {node: found for node, found in tests.items() if found is not None},
        "looked": [area for area, one in seen.items() if not one.blind],
        "faults": [words for one in seen.values() for words in one.faults],
        "doubts": [words for one in seen.values() for words in (*one.doubts, *filter(None, [one.blind]))],
    }


def by_driver(devices: Sequence[int]) -> dict[int, list[str]] | None:
    """List what NVML finds wrong with each of these GPUs; None without a driver."""
    gpus = Gpus()
    try:
        return None if gpus.absent else ailments(gpus, devices)
    finally:
        gpus.close()


def run_dcgmi(program: str | None, devices: Sequence[int], limit_s: float) -> list[str] | None:
    """Let NVIDIA's diagnostics test GPUs that nobody uses; None where they tell nothing, as without their daemon."""
    if program is None or not devices:
        return None
    command = [program, "diag", "-r", "2", "-i", ",".join(map(str, devices))]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired:
        return [f"dcgmi diag did not end within {limit_s:g} s"]
    except OSError:
        return None
    failed = dict.fromkeys(FAILED.findall(answer.stdout.decode(errors="replace")))
    if failed:
        return [f"dcgmi diag: {', '.join(list(failed)[:8])} failed"]
    return [] if answer.returncode == 0 else None


def examine_there(launch: Sequence[str], asked: Question, limit_s: float) -> NodeReport | str:
    """Look at another host by what runs a command there; where that fails, say why: it is no evidence."""
    from schedmate.tools.python_children import module_command

    command = [*launch, *module_command("schedmate.tools.node_report")]
    question = json.dumps(asked._asdict()).encode()
    try:
        answer = subprocess.run(command, input=question, capture_output=True, timeout=limit_s, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{type(error).__name__}"
    try:
        report: NodeReport = json.loads(answer.stdout.splitlines()[-1])
        lists = all(isinstance(report[name], list) for name in ("looked", "faults", "doubts"))
        return report if lists and isinstance(report["driver"], dict) and report["tested"] is not None else "nonsense"
    except (ValueError, IndexError, KeyError, TypeError):
        last = answer.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return f"exit {answer.returncode}" + "".join(f", {words[:160]}" for words in last)


def main() -> None:
    """Answer one question."""
    sys.stdout.write(json.dumps(examine(Question(**json.load(sys.stdin)))) + "\n")


if __name__ == "__main__":
    main()
