"""Before Hydra 1.1 what a defaults list names went over the file that lists it, and groups were merged at the root."""

import pytest

from tests.readers.code.programs import FIT_BATCHES

PROGRAM = (
    "import hydra\n"
    + FIT_BATCHES
    + """
@hydra.main(config_path="conf", config_name="config")
def main(cfg):
    fit(cfg.lr, cfg.steps, batch=cfg.batch)
main()
"""
)
FILES = {
    "go.py": PROGRAM,
    "conf/config.yaml": "lr: 0.5\nsteps: 7\nbatch: 4\ndefaults:\n  - rows: few\n",
    "conf/rows/few.yaml": "# @package _global_\nlr: 0.25\nbatch: 3\n",
    "conf/rows/many.yaml": "lr: 0.125\nbatch: 2\n",
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "torch\nhydra-core==1.0.6\n"),
        ("setup.py", "setup(install_requires=['hydra-core<1.1', 'torch'])\n"),
        ("pyproject.toml", '[tool.poetry.dependencies]\nhydra-core = "~1.0"\n'),
        ("environment.yml", "dependencies:\n  - hydra-core=1.0.4\n"),
        ("requirements.txt", "hydra-core>=1.0,<1.1\n"),
    ],
)
def test_an_old_version_lets_groups_win(read, name, text):
    job = read({**FILES, name: text}, "python go.py")
    assert (job.learning_rate, job.batch_size, job.total_steps) == (0.25, 3, 21)
    assert read({**FILES, name: text}, "python go.py rows=many").learning_rate == 0.125


@pytest.mark.parametrize(
    "text",
    [
        "hydra-core==1.3.2\n",
        "hydra-core>=1.0\n",
        "hydra-core\n",
        "hydra-core==1.10\n",
        "hydra-core~=1.0\n",
        "# was hydra-core==1.0.6\nhydra-core>=1.2\n",
        "hydra-core==1.0.6\nhydra-core==1.2\n",
        "nothydra-core==1.0\n",
    ],
)
def test_later_versions_let_the_file_win(read, text):
    job = read({**FILES, "requirements.txt": text}, "python go.py")
    assert (job.learning_rate, job.batch_size) == (0.5, 4)


def test_poetrys_caret_lets_a_later_version_in(read):
    text = '[tool.poetry.dependencies]\nhydra-core = "^1.0.6"\n'
    assert read({**FILES, "pyproject.toml": text}, "python go.py").learning_rate == 0.5
