"""The table of rules: each has a name of its own and a reason, tells what it did, and can be left out."""

import pytest

from schedmate import diagnose
from schedmate.readers.failures.case import Correction
from schedmate.readers.failures.causes import choosing, first_cause, weighing
from schedmate.readers.failures.causes.corrections import TABLES, reasons
from tests.readers.failures.moves import rules_of, verdict_of

STEPS = "".join(f"step {step} loss 2.{step:03d} lr 0.01\n" for step in range(1, 41))
KEY = "Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    main()\nKeyError: 'lr'\n"
KILL = (
    "Mar  3 04:10:01 n7 kernel: Out of memory: Killed process 4711 (backup-agent) total-vm:90000kB, anon-rss:80000kB\n"
)
WAITED = "".join(
    f"[rank{rank}]:[E402 11:20:1{rank}.1 ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective operation "
    "timeout: WorkNCCL(SeqNum=81, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600017 milliseconds before timing "
    "out.\n"
    for rank in range(4)
)
SAID = "cardwarden[n7]: card 5 was given up by its driver\n"


def test_names_are_told_apart_and_reasons_are_given():
    rules = [rule for table in TABLES for rule in table]
    assert len({rule.name for rule in rules}) == len(rules)
    assert len(reasons()) > len(rules)
    assert all(rule.why and rule.why == rule.why.strip(" .") for rule in rules)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (STEPS + KEY, ["firm cause"]),
        (STEPS + SAID + WAITED, ["only an effect", "stated in words"]),
        (STEPS + "^C\n" + KEY.replace("KeyError: 'lr'", "KeyboardInterrupt"), ["any cause", "said before"]),
    ],
)
def test_a_verdict_names_who_chose_the_root_and_who_moved_it(tmp_path, text, rules):
    assert rules_of(tmp_path / "job.log", text) == rules


def test_a_suspect_tells_what_was_made_of_it(tmp_path):
    verdict = verdict_of(tmp_path / "job.log", STEPS + KILL + KEY)
    told = {one.sighting.number: [step.rule for step in one.history] for one in verdict.suspects}
    assert told[41] == ["stranger"]
    assert told[45] == []
    gone = verdict_of(tmp_path / "job.log", KEY.replace("<module>", "fetch") + STEPS)
    assert (gone.suspects[0].history[0].rule, gone.suspects[0].history[0].after) == ("steps behind", "got over")


def test_what_a_peers_death_produces_gives_way_though_it_is_as_loud_and_stands_first(tmp_path):
    lost = "n7:91:230 [3] NCCL WARN NET/IB : Got completion from peer 10.0.0.7<51234> with error 12, opcode 0, len 0\n"
    verdict = verdict_of(tmp_path / "job.log", STEPS + lost + KEY)
    assert verdict.root.number == 45
    assert [step.rule for step in verdict.suspects[0].history] == ["may follow"]
    assert verdict_of(tmp_path / "job.log", STEPS + lost + KEY, ["may follow"]).root.number == 41


def stumble(held, case):
    raise KeyError("lr")


@pytest.mark.parametrize(
    ("apply", "wrong"),
    [
        (stumble, "KeyError: 'lr'"),
        (lambda held, case: held[1:], "it leaves out lines, or moves them"),
        (lambda held, case: held[::-1], "it leaves out lines, or moves them"),
    ],
)
def test_a_rule_with_a_fault_is_left_out_by_name_and_all_others_are_asked(tmp_path, monkeypatch, apply, wrong):
    sound = verdict_of(tmp_path / "job.log", STEPS + KILL + KEY)
    monkeypatch.setattr(weighing, "WEIGHTS", (*weighing.WEIGHTS, Correction("new", "it is tried out", apply)))
    verdict = verdict_of(tmp_path / "job.log", STEPS + KILL + KEY)
    assert (verdict.root, verdict.moves, verdict.suspects) == (sound.root, sound.moves, sound.suspects)
    assert verdict.notes == (f"the rule 'new' was left out by a fault of the reader: {wrong}",)
    assert diagnose(tmp_path / "job.log", engine="built-in").notes[: len(verdict.notes)] == verdict.notes


def test_a_rule_that_gives_nothing_back_for_one_line_is_left_out(tmp_path, monkeypatch):
    nothing = Correction("new", "it is tried out", lambda held, case: None)
    monkeypatch.setattr(first_cause, "CHOICES", (nothing, *first_cause.CHOICES))
    verdict = verdict_of(tmp_path / "job.log", STEPS + KEY)
    assert (verdict.root.number, len(verdict.notes)) == (44, 1)


@pytest.mark.parametrize(
    ("module", "table"),
    [(choosing, "ALIVE"), (choosing, "CAUSES"), (choosing, "PICKS"), (choosing, "GOT_OVER"), (first_cause, "PROOFS")],
)
def test_a_rule_of_the_choice_with_a_fault_is_left_out_by_name_once(tmp_path, monkeypatch, module, table):
    new = Correction("new", "it is tried out", lambda *given: stumble(given, None))
    monkeypatch.setattr(module, table, (new, *getattr(module, table)))
    verdict = verdict_of(tmp_path / "job.log", STEPS + KEY)
    wrong = "the rule 'new' was left out by a fault of the reader: "
    assert (verdict.root.number, [note.startswith(wrong) for note in verdict.notes]) == (44, [True])


def test_what_a_fault_left_out_of_the_choice_of_an_earlier_run_is_told(tmp_path, monkeypatch):
    """Where only these are read, no logs are at hand."""
    new = Correction("new", "it is tried out", lambda held, case: held if case.readings else stumble(held, case))
    monkeypatch.setattr(choosing, "ALIVE", (new, *choosing.ALIVE))
    twice = STEPS + KEY + "slurmstepd: error: job 7 is requeued, restart count 1\n" + STEPS + KEY
    (tmp_path / "job.log").write_text(twice)
    notes = diagnose(tmp_path / "job.log", engine="built-in").notes
    assert [note.partition(":")[0] for note in notes] == [
        "attempt 1 (lines 1 to 44)",
        "the rule 'new' was left out by a fault of the reader",
    ]


def test_it_is_told_where_the_job_was_well(tmp_path, monkeypatch):
    monkeypatch.setattr(choosing, "ALIVE", (Correction("new", "it is tried out", stumble), *choosing.ALIVE))
    (tmp_path / "job.log").write_text(STEPS)
    assert "'new' was left out" in diagnose(tmp_path / "job.log", engine="built-in").notes[0]


def test_a_rule_that_is_left_out_does_nothing(tmp_path):
    assert verdict_of(tmp_path / "job.log", STEPS + SAID + WAITED).root.number == 41
    left_out = ["stated in words", "said in words"]
    assert verdict_of(tmp_path / "job.log", STEPS + SAID + WAITED, left_out).root.number == 42
