"""What docs/diagnose-reasoning.md says is so: its tables hold what the code does, its logs are diagnosed as it says."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from schedmate.readers.failures.causes import corrections
from schedmate.readers.failures.causes.suspects import (
    AT_THE_STALL_FACTOR,
    ENDED_FACTOR,
    ROLE_FACTOR,
    SURVIVED_FACTOR,
    SURVIVED_HARDWARE_FACTOR,
)
from schedmate.readers.failures.sightings.loudness import HANDLED, SOFT
from schedmate.readers.failures.survival import outcomes, survived
from tests.readers.failures.moves import verdict_of

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "diagnose-reasoning.md").read_text("utf-8")
LOGS = re.findall(r"^```log\n(.*?)^```", PAGE, re.M | re.S)
ASKED = {
    "what a line states": corrections.STATEMENTS,
    "what became of it": corrections.FATES,
    "what it counts": corrections.WEIGHTS,
    "what it counts beside all else": corrections.RIVALS,
    "who is left": corrections.ALIVE,
    "which causes are left": corrections.CAUSES,
    "who is chosen: the first that gives anybody": corrections.PICKS,
    "why the choice is none": corrections.GOT_OVER,
    "that it was well, whoever is chosen": corrections.PROOFS,
    "what decides in its place": corrections.CHOICES,
    "where it was stated first": corrections.PLACES,
}


def file_of(module):
    """Name a module as the page does."""
    return "`" + "/".join(module.split(".")[3:]) + ".py`"


def rules():
    """Write the table of the rules."""
    yield from ("| asked | rule | because | file |", "|---|---|---|---|")
    ways = [(name, why, survived if name in survived.WAYS else outcomes) for name, why in outcomes.HOW_KNOWN.items()]
    groups = {"how it was got over": [(name, why, module.__name__) for name, why, module in ways]}
    groups |= {asked: [(one.name, one.why, one.apply.__module__) for one in table] for asked, table in ASKED.items()}
    for asked, rows in groups.items():
        for at, (name, why, module) in enumerate(rows):
            yield f"| {'' if at else asked} | {name} | {why} | {file_of(module)} |"


def factors():
    """Write the table of the factors."""
    yield from ("| factor | for |", "|---|---|")
    yield f"| {ROLE_FACTOR['cascade']} or {ROLE_FACTOR['teardown']} | an effect, by its entry |"
    yield f"| {SOFT} or {HANDLED} | a warning; what was tried again, skipped or done without |"
    yield f"| {SURVIVED_FACTOR} | what was got over |"
    yield f"| {SURVIVED_HARDWARE_FACTOR} | the same, if it is a fact about the machine and the job ended badly |"
    yield f"| {ENDED_FACTOR} | an end from outside: a time limit, a preemption, a cancellation |"
    yield f"| {AT_THE_STALL_FACTOR} | what was said about when ranks began to wait in vain |"


@pytest.mark.parametrize("rows", [rules, factors], ids=lambda rows: rows.__name__)
def test_a_table_holds_what_the_code_does(rows):
    written = "\n".join(rows())
    assert f"\n{written}\n\n" in PAGE, f"the page must hold:\n{written}"


def test_every_table_of_rules_is_on_the_page():
    assert tuple(ASKED.values()) == corrections.TABLES


@pytest.mark.parametrize("block", LOGS)
def test_a_log_is_diagnosed_as_its_remarks_say(block, tmp_path):
    lines = [line.partition("<- ")[::2] for line in block.splitlines()]
    verdict = verdict_of(tmp_path / "job.log", "".join(f"{text.rstrip()}\n" for text, _ in lines))
    suspects = {one.sighting.number: one for one in verdict.suspects}
    told = {number: remark for number, (_, remark) in enumerate(lines, 1) if remark}
    roots = [number for number, remark in told.items() if remark.startswith("root")]
    assert roots == ([verdict.root.number] if verdict.root else [])
    for number, remark in told.items():
        one = suspects.get(number)
        assert not remark.startswith("no suspect") or one is None
        assert not remark.startswith("got over") or one.survived
        assert not remark.startswith("effect") or one.effect
        assert not remark.startswith("healthy") or verdict.healthy.number == number
        rule = re.search(r'moved here by "(.*)"', remark)
        assert not rule or verdict.moves[-1].rule == rule[1]


def test_the_answer_is_what_the_command_prints():
    picture = re.search(r"^How it was found\n.*?(?=^```)", PAGE, re.M | re.S)[0]
    log = str(ROOT / "examples" / "logs" / "evicted_pod.txt")
    answer = CliRunner().invoke(make_app(), ["diagnose", log, "--explain"], env={"COLUMNS": "140"})
    printed = " ".join(answer.stdout.split())
    shown = [" ".join(part.split()) for line in picture.splitlines() for part in line.split("...")]
    assert [part for part in shown if part not in printed] == []
