"""Hydra's entry points: how a configuration reaches the program."""

import time

import pytest

from schedmate.readers.code.configs.hydra import is_sweep
from tests.readers.code.programs import FIT_BATCHES

FILES = {"conf/config.yaml": "lr: 0.1\nepochs: 2\n", "conf/other.yaml": "lr: 0.5\nepochs: 4\n"}
MAIN = "def main(cfg):\n    global x\n    x = [cfg.lr, cfg['epochs']]\nmain()\n"
ENTRY = "import hydra\n@hydra.main(version_base=None, config_path='conf', config_name='config')\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", [0.1, 2]),
        ("lr=0.7", [0.7, 2]),
        ("--config-name other", [0.5, 4]),
        ("--config-name=other epochs=9", [0.5, 9]),
        ("-m epochs=9", [0.1, 9]),
    ],
)
def test_the_command_composes_for_the_entry(outcome, words, expected):
    assert outcome(ENTRY + MAIN, words, FILES) == expected


def test_the_path_named_the_file_before_hydra_1(outcome):
    assert outcome(f"import hydra\n@hydra.main(config_path='conf/config.yaml')\n{MAIN}", "", FILES) == [0.1, 2]


def test_a_program_may_compose_itself(outcome):
    text = (
        "from hydra import compose, initialize\nwith initialize(config_path='conf'):\n"
        "    c = compose('config', overrides=['lr=3'])\n"
    )
    assert outcome(f"{text}x = [c.lr, c.epochs]\n", "", FILES) == [3, 2]


def test_a_stored_record_is_a_configuration(outcome):
    text = (
        "import hydra\nfrom dataclasses import dataclass\nfrom hydra.core.config_store import ConfigStore\n"
        "@dataclass\nclass Config:\n    lr: float = 0.3\n    epochs: int = 1\n"
        "cs = ConfigStore.instance()\ncs.store(name='config', node=Config)\n"
        f"@hydra.main(version_base=None, config_name='config')\n{MAIN}"
    )
    assert outcome(text, "epochs=6") == [0.3, 6]


def test_a_configuration_that_is_not_there_is_noted(follow):
    run, _ = follow(f"import hydra\n@hydra.main(config_path='conf', config_name='absent')\n{MAIN}", "", FILES)
    assert any("absent" in note for note in run.notes)


@pytest.mark.parametrize("text", ["1,2,3", "a,b", "range(1,5)", "choice(a,b)", "glob(*)", "[1],[2]"])
def test_a_sweep(text):
    assert is_sweep(text)


@pytest.mark.parametrize("text", ["1", "[1,2]", "{a:1,b:2}", "'a,b'", '"a,b"', "(1,2)", ""])
def test_one_value(text):
    assert not is_sweep(text)


def test_a_program_sorts_its_words_by_hydras_parser(outcome):
    text = (
        "import sys\nfrom hydra.core.override_parser.overrides_parser import OverridesParser\n"
        "x = [(o.key_or_group, o.value()) for o in OverridesParser.create().parse_overrides(sys.argv[1:])]\n"
    )
    assert outcome(text, "+a.b=3 lr=1e-3") == [("a.b", 3), ("lr", 1e-3)]


def test_the_end_of_a_path_of_another_machine_is_a_folder_here(outcome):
    entry = "import hydra\n@hydra.main(config_path='/far/away/conf', config_name='config')\n"
    assert outcome(entry + MAIN, "", FILES) == [0.1, 2]


def test_a_path_of_many_thousand_folders_is_looked_up_in_time(outcome):
    started = time.monotonic()
    entry = f"import hydra\n@hydra.main(config_path={'/a' * 20_000 + '/conf'!r}, config_name='config')\n"
    assert outcome(entry + MAIN, "", FILES) == [0.1, 2]
    assert time.monotonic() - started < 10


BY_ENVIRONMENT = """
import os
from pathlib import Path
import hydra
ROOT = Path(os.environ["PROJECT_ROOT"])
@hydra.main(version_base=None, config_path=str(ROOT / "conf"), config_name="default")
"""
PRIMARY = {"conf/default.yaml": "defaults:\n  - data: default\nlr: 0.1\n", "conf/data/default.yaml": "epochs: 3\n"}
ANOTHER = {"old/default.yaml": "defaults:\n  - data: default\nlr: 0.5\n", "old/data/default.yaml": "epochs: 9\n"}


def test_the_configuration_of_the_program_s_own_project_is_meant(read):
    program = """
    import os, torch, hydra
    @hydra.main(version_base=None, config_path=os.environ["PLACE"], config_name="default")
    def main(cfg):
        net = torch.nn.Linear(3, 3)
        optimizer = torch.optim.SGD(net.parameters(), lr=cfg.rate)
        for epoch in range(4):
            net(torch.zeros(2, 3)).sum().backward()
            optimizer.step()
    main()
    """
    files = {
        "old/default.yaml": "defaults:\n  - _self_\nrate: 0.5\n",
        "all/new/conf/default.yaml": "defaults:\n  - _self_\nrate: 0.25\n",
        "all/new/conf/part/default.yaml": "defaults:\n  - _self_\nrate: 0.125\n",
        "all/new/go.py": program,
    }
    assert read(files, "python all/new/go.py").learning_rate == 0.25


@pytest.mark.parametrize(("more", "expected"), [({}, 3), (ANOTHER, None)])
def test_a_folder_that_only_the_run_knows_is_that_of_the_one_configuration_that_lists_others(follow, more, expected):
    main = "def main(cfg):\n    global x\n    x = cfg.data.epochs\nmain()\n"
    told = follow(BY_ENVIRONMENT + main, "", PRIMARY | more)[1]["x"].data
    assert (told if isinstance(told, int) else None) == expected


@pytest.mark.parametrize(("more", "expected"), [({}, 3), (ANOTHER, None)])
def test_a_folder_of_another_machine_that_is_not_here_is_that_of_the_one_configuration_that_lists_others(
    follow, more, expected
):
    entry = "import hydra\n@hydra.main(version_base=None, config_path='/far/settings', config_name='default')\n"
    main = "def main(cfg):\n    global x\n    x = cfg.data.epochs\nmain()\n"
    told = follow(entry + main, "", PRIMARY | more)[1].get("x")
    assert (told.data if told is not None and isinstance(told.data, int) else None) == expected


def test_parsed_overrides_reach_the_configuration(read):
    main = FIT_BATCHES + (
        "import sys\nfrom omegaconf import OmegaConf\nfrom hydra._internal.config_loader_impl import ConfigLoaderImpl\n"
        "from hydra.core.override_parser.overrides_parser import OverridesParser\n"
        "cfg = OmegaConf.load('run.yaml')\nparser = OverridesParser.create()\n"
        "told = parser.parse_overrides(overrides=sys.argv[1:])\n"
        "ConfigLoaderImpl._apply_overrides_to_config(overrides=told, cfg=cfg)\n"
        "fit(cfg.policy.lr, 3, batch=cfg.policy.size)\n"
    )
    files = {"main.py": main, "run.yaml": "policy:\n  lr: 0.1\n  size: 8\n"}
    job = read(files, "python main.py policy.lr=0.4")
    assert (job.learning_rate, job.batch_size) == (0.4, 8)


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("/home/one/work/deep/settings", "settings"),
        ("/home/one/deep/conf/all", "conf/all"),
        ("../settings", "settings"),
    ],
)
def test_settings_in_a_folder_of_another_machine_are_found_by_its_end(read, path, folder):
    program = f"""
        import hydra
        import torch

        @hydra.main(config_path="{path}", config_name="base")
        def main(cfg):
            net = torch.nn.Linear(2, 2)
            best = torch.optim.SGD(net.parameters(), lr=cfg.lr)
            for step in range(cfg.max_steps):
                net(torch.zeros(2)).sum().backward()
                best.step()

        main()
    """
    files = {"deep/learn.py": program, f"{folder}/base.yaml": "lr: 0.3\nmax_steps: 900\n"}
    found = read(files, "python deep/learn.py")
    assert (found.learning_rate, found.total_steps) == (0.3, 900)


def test_a_sweep_is_told_from_a_list():
    sweeps = ["1,2", "range(1,3)", "a,[1,2]"]
    assert [is_sweep(text) for text in sweeps] == [True, True, True]
    assert [is_sweep(text) for text in ("1", "[1,2]", "{a:1,b:2}", "'a,b'", "f(1,2)", "")] == [False] * 6
