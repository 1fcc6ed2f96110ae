"""Who proposes values: of one subject no two are equally certain, so that no answer hangs on who is asked first."""

import textwrap
from collections import Counter
from importlib import import_module

import pytest

from schedmate.readers.code.adapters import MODELS
from schedmate.readers.code.evidence.rule import Certainty, Rule, certainty_word
from schedmate.readers.code.evidence.view import Program, View
from schedmate.readers.code.fields.rules import let_propose, rules
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.reader import LAST, TRAINS, USES, WITHOUT, read_code
from schedmate.readers.code.values.value import SourceLocation
from schedmate.tools.repository import Repository

SUBJECTS = {*TRAINS, *USES, *WITHOUT, *LAST, "is_training", "framework", "model", "data", "task"}

JOB = """
import torch, accelerate
from lightning import Trainer

accelerator = accelerate.Accelerator(mixed_precision="fp16")
trainer = Trainer(max_epochs=3, precision="bf16-mixed", accumulate_grad_batches=2)
model = torch.nn.Linear(1, 1)
trainer.fit(model)
"""


@pytest.mark.parametrize("about", sorted(rules()))
def test_no_two_rules_of_a_subject_are_equally_certain(about):
    certainties = [rule.certainty for rule in rules()[about]]
    assert certainties == sorted(set(certainties), reverse=True)


def test_no_two_files_model_one_name():
    for table in ("HOOKS", "ENDINGS", "VALUES"):
        claimed = Counter(name for model in MODELS for name in getattr(import_module(model), table, {}))
        assert [name for name, times in claimed.items() if times > 1] == []


def test_every_subject_is_asked_for():
    assert set(rules()) == SUBJECTS


def test_a_certainty_has_the_name_of_its_kind():
    assert certainty_word(Certainty.TOLD + 90) == "told"
    assert certainty_word(Certainty.LIKELY) == "likely"


def test_the_more_certain_wins_and_the_other_is_remembered(tmp_path):
    (tmp_path / "train.py").write_text(textwrap.dedent(JOB))
    reading = read_code(Repository(tmp_path), "python train.py")
    kept, gave_way = reading.proposals["precision"][:2]
    assert (kept.value, kept.proposer) == ("bf16", "Lightning")
    assert (gave_way.value, gave_way.proposer) == ("fp16", "Accelerate")
    assert kept.certainty > gave_way.certainty
    assert reading.workload.precision == "bf16"
    assert reading.workload.extra["gradient_accumulation_steps"] == "2"


def test_a_rule_that_stumbles_loses_nothing_but_itself(follow):
    run, _ = follow("steps = 3")
    view = View(Program(Launch(), run, "python main.py"))
    spot = SourceLocation("main.py", 1)

    def stumbles(view):
        view.keep("epochs", 3, (spot,))
        view.keep("batch_size", 8 // 0, (spot,))

    let_propose(view, Rule("trainer", Certainty.TOLD, "a trainer", stumbles))
    let_propose(
        view, Rule("trainer", Certainty.SEEN, "another one", lambda view: view.keep("optimizer", "SGD", (spot,)))
    )
    assert {name: kept.value for name, kept in view.values.items()} == {"epochs": 3, "optimizer": "SGD"}
    assert [note for note in run.notes if "a trainer stumbles over a fault of the reader" in note]
