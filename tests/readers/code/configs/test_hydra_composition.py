"""Composing a Hydra configuration: groups, defaults lists, packages and overrides."""

import pytest

from schedmate.readers.code.adapters import new_run
from schedmate.readers.code.configs.hydra_composition import compose
from schedmate.readers.code.values.nested import plain
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, is_unknown
from schedmate.tools.repository import Repository
from tests.readers.code.programs import FIT_BATCHES, FIT_STEPS

FILES = {
    "conf/config.yaml": "defaults:\n  - optim: adam\n  - _self_\nepochs: 3\nname: run_${optim.lr}\n",
    "conf/optim/adam.yaml": "lr: 0.1\nbetas: [0.9, 0.99]\n",
    "conf/optim/sgd.yaml": "lr: 0.5\n",
    "conf/optim/slow.yaml": "defaults:\n  - adam\n  - _self_\nlr: 0.01\n",
    "conf/data/small.yaml": "# @package _global_\nbatch: 4\n",
    "conf/first.yaml": "defaults:\n  - _self_\n  - optim: adam\noptim:\n  lr: 9\n",
    "conf/optional.yaml": "defaults:\n  - optional optim: missing\nepochs: 1\n",
    "conf/placed.yaml": "defaults:\n  - optim@net.optim: sgd\n",
}


@pytest.fixture
def composed(write):
    def compose_words(name, words=""):
        run = new_run(Repository(write(FILES)), [])
        given = [Value(word, (SourceLocation(COMMAND, 1, word),)) for word in words.split()]
        return compose(run, ["conf"], name, given)

    return compose_words


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", {"optim": {"lr": 0.1, "betas": [0.9, 0.99]}, "epochs": 3, "name": "run_0.1"}),
        ("optim=sgd", {"optim": {"lr": 0.5}, "epochs": 3, "name": "run_0.5"}),
        ("optim.lr=2", {"optim": {"lr": 2, "betas": [0.9, 0.99]}, "epochs": 3, "name": "run_2"}),
        ("optim=slow epochs=5", {"optim": {"lr": 0.01, "betas": [0.9, 0.99]}, "epochs": 5, "name": "run_0.01"}),
        ("+data=small", {"optim": {"lr": 0.1, "betas": [0.9, 0.99]}, "epochs": 3, "name": "run_0.1", "batch": 4}),
        ("~optim.betas +extra.a=1", {"optim": {"lr": 0.1}, "epochs": 3, "name": "run_0.1", "extra": {"a": 1}}),
        ("~optim", {"epochs": 3, "name": "unknown"}),
        ("~optim=adam", {"epochs": 3, "name": "unknown"}),
        ("~epochs=3 ~name", {"optim": {"lr": 0.1, "betas": [0.9, 0.99]}}),
        ("++epochs=[1,2]", {"optim": {"lr": 0.1, "betas": [0.9, 0.99]}, "epochs": [1, 2], "name": "run_0.1"}),
    ],
)
def test_words_choose_and_set(composed, words, expected):
    found = composed("config", words)
    found.data.update({name: Value("unknown") for name, value in found.data.items() if is_unknown(value)})
    assert plain(found) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("first", {"optim": {"lr": 0.1, "betas": [0.9, 0.99]}}),
        ("optional", {"epochs": 1}),
        ("placed", {"net": {"optim": {"lr": 0.5}}}),
    ],
)
def test_the_defaults_list_orders_and_places(composed, name, expected):
    assert plain(composed(name)) == expected


def test_a_value_knows_its_file_or_the_command(composed):
    assert composed("config").data["optim"].data["lr"].src[0].path == "conf/optim/adam.yaml"
    assert composed("config", "optim.lr=2").data["optim"].data["lr"].src[0].quote == "optim.lr=2"


def test_a_name_that_no_file_has_gives_nothing(composed):
    assert composed("absent") is None


def test_hydra_before_1_0_names_the_file_and_merges_groups_at_the_root(read):
    job = read(
        {
            "train.py": """
                import hydra
                import torch

                class Work:
                    def __init__(self, cfg):
                        self.cfg = cfg
                        self.agent = hydra.utils.instantiate(cfg.agent)

                    def run(self):
                        for step in range(self.cfg.num_train_steps):
                            self.agent.update(torch.randn(self.cfg.agent.params.batch_size, 4))

                @hydra.main(config_path="config/train.yaml", strict=True)
                def main(cfg):
                    Work(cfg).run()

                if __name__ == "__main__":
                    main()
            """,
            "agent.py": """
                import torch

                class Agent:
                    def __init__(self, width, batch_size, lr):
                        self.net = torch.nn.Linear(4, width)
                        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)

                    def update(self, batch):
                        self.net(batch).sum().backward()
                        self.optimizer.step()
            """,
            "config/train.yaml": "defaults:\n  - agent: small\nnum_train_steps: 1000\nlr: 0.5\n",
            "config/agent/small.yaml": """
                agent:
                  name: small
                  class: agent.Agent
                  params: {width: 2, batch_size: 64, lr: "${lr}"}
            """,
        },
        "python train.py lr=0.25 agent.params.batch_size=32",
    )
    assert job.is_training
    assert (job.learning_rate, job.batch_size, job.optimizer) == (0.25, 32, "Adam")


STORED = {
    "train.py": """
    from dataclasses import dataclass, field
    from typing import Any

    import hydra
    import torch
    from hydra.core.config_store import ConfigStore
    from omegaconf import MISSING, OmegaConf

    chosen = [{"optim": "adam"}]

    @dataclass
    class Adam:
        rate: float = 0.002

    @dataclass
    class Sgd:
        rate: float = 0.3

    @dataclass
    class Settings:
        defaults: list = field(default_factory=lambda: chosen)
        optim: Any = MISSING
        epochs: int = 7

    store = ConfigStore.instance()
    store.store(name="config", node=Settings)
    store.store(group="optim", name="adam", node=Adam)
    store.store(group="optim", name="sgd", node=Sgd)

    @hydra.main(config_path=None, config_name="config")
    def main(cfg):
        model = torch.nn.Linear(3, 1)
        if OmegaConf.get_type(cfg.optim) is Sgd:
            optimizer = torch.optim.SGD(model.parameters(), lr=cfg.optim.rate)
        else:
            optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.optim.rate)
        for epoch in range(cfg.epochs):
            model(torch.randn(2, 3)).sum().backward()
            optimizer.step()

    main()
    """
}


def test_stored_records_choose_others_by_their_own_list(read):
    plain = read(STORED, "python train.py")
    assert (plain.optimizer, plain.learning_rate, plain.epochs) == ("AdamW", 0.002, 7)
    told = read(STORED, "python train.py optim=sgd epochs=2")
    assert (told.optimizer, told.learning_rate, told.epochs) == ("SGD", 0.3, 2)


COMPOSED = (
    FIT_BATCHES
    + """
import hydra
@hydra.main(config_path="conf", config_name="top")
def main(cfg):
    fit({"first": 0.1, "second": 0.2}[cfg.solver], cfg.steps, batch=cfg.size)
main()
"""
)


def test_a_choice_with_a_folder_stands_in_its_group(read):
    files = {
        "train.py": COMPOSED,
        "conf/top.yaml": "defaults: [{solver: default}, _self_]\nsteps: 5\n",
        "conf/solver/default.yaml": "# @package __global__\nsize: 3\n",
        "conf/solver/music/base.yaml": "# @package __global__\ndefaults: [music/general, _self_]\nsize: 7\n",
        "conf/solver/music/general.yaml": "# @package __global__\nsolver: second\nsize: 4\n",
    }
    job = read(files, "python train.py solver=music/base")
    assert (job.learning_rate, job.batch_size) == (0.2, 7)


def test_fields_of_a_stored_record_have_the_defaults_of_their_own_records(read):
    code = (
        "import hydra, torch\nfrom dataclasses import dataclass\nfrom hydra.core.config_store import ConfigStore\n"
        "from omegaconf import DictConfig\n"
        "@dataclass\nclass Run(DictConfig):\n    seed: int\n    short: bool = False\n"
        "@dataclass\nclass Settings(DictConfig):\n    run: Run\n    steps: int = 5\n"
        "ConfigStore.instance().store(name='base', node=Settings)\n"
        + FIT_STEPS
        + "@hydra.main(version_base=None, config_path='conf', config_name='config')\ndef main(cfg):\n"
        "    if cfg.run.short:\n        cfg.steps = 100\n    net = torch.nn.LSTM(2, 2)\n"
        "    fit(net, torch.optim.Adam(net.parameters(), lr=1e-3), cfg.steps, iter([]))\nmain()\n"
    )
    files = {"train.py": code, "conf/config.yaml": "defaults: [base, _self_]\nrun: {seed: 4}\nsteps: 700\n"}
    assert read(files, "python train.py").total_steps == 700
    assert read(files, "python train.py run.short=true").total_steps == 100


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_choice_of_a_group_sets_nothing(write, text):
    files = {"conf/config.yaml": "defaults:\n  - logger: none\nepochs: 3\n", "conf/logger/none.yaml": text}
    run = new_run(Repository(write(files)), [])
    found = compose(run, ["conf"], "config", [])
    assert plain(found) == {"epochs": 3}
    assert (run.notes, run.gaps) == ([], {})
