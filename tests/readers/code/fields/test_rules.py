"""Who proposes values: the rules are those of the table of who beats whom, and one that stumbles stops no other."""

import textwrap
from collections import Counter
from importlib import import_module

import pytest

from schedmate.readers.code.adapters import MODELS
from schedmate.readers.code.evidence.precedence import proposer_of, proposers
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import Program, View
from schedmate.readers.code.fields.rules import let_propose, rules
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.reader import INSTALLED, read_code
from schedmate.readers.code.values.value import SourceLocation
from schedmate.tools.repository import Repository

JOB = """
import torch, accelerate
from lightning import Trainer

accelerator = accelerate.Accelerator(mixed_precision="fp16")
trainer = Trainer(max_epochs=3, precision="bf16-mixed", accumulate_grad_batches=2)
model = torch.nn.Linear(1, 1)
trainer.fit(model)
"""


def test_each_rule_has_a_place_of_its_own_in_the_table_and_each_place_a_rule():
    ranked = [proposer for some in rules().values() for proposer, _ in some]
    assert sorted([*ranked, INSTALLED]) == sorted(proposers().values())


def test_no_two_files_model_one_name():
    for table in ("HOOKS", "ENDINGS", "VALUES"):
        claimed = Counter(name for model in MODELS for name in getattr(import_module(model), table, {}))
        assert [name for name, times in claimed.items() if times > 1] == []


def test_the_more_certain_wins_and_the_other_is_remembered(tmp_path):
    (tmp_path / "train.py").write_text(textwrap.dedent(JOB))
    reading = read_code(Repository(tmp_path), "python train.py")
    kept, gave_way = reading.proposals["precision"][:2]
    assert (kept.value, kept.by.name) == ("bf16", "Lightning")
    assert (gave_way.value, gave_way.by.name) == ("fp16", "Accelerate")
    assert kept.by.certainty > gave_way.by.certainty
    assert reading.workload.precision == "bf16"
    assert reading.workload.extra["gradient_accumulation_steps"] == "2"


def test_a_rule_that_stumbles_loses_nothing_but_itself(follow):
    run, _ = follow("steps = 3")
    view = View(Program(Launch(), run, "python main.py"))
    spot = SourceLocation("main.py", 1)

    def stumbles(view):
        view.keep("epochs", 3, (spot,))
        view.keep("batch_size", 8 // 0, (spot,))

    def goes_on(view):
        view.keep("optimizer", "SGD", (spot,))

    for name, propose in (("Composer", stumbles), ("Coqui", goes_on)):
        let_propose(view, Rule(Subject.TRAINER, name, propose), proposer_of(Subject.TRAINER, name))
    assert {name: kept.value for name, kept in view.values.items()} == {"epochs": 3, "optimizer": "SGD"}
    assert [note for note in run.notes if "Composer stumbles over a fault of the reader" in note]


def test_a_rule_without_a_place_is_named():
    with pytest.raises(LookupError, match="'nobody' has no place under Subject.TRAINER in evidence/precedence.py"):
        proposer_of(Subject.TRAINER, "nobody")
