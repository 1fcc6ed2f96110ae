"""The newest checkpoint is found, by name or through the log, and nothing else is taken for one."""

import os

import pytest

from schedmate.scheduling.recovery.checkpoints import last_checkpoint


@pytest.fixture
def made(tmp_path):
    def make(files, log=""):
        for age, (name, text) in enumerate(reversed(list(files.items()))):
            path = tmp_path / "work" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            os.utime(path, (2_000_000 - age, 2_000_000 - age))
        (tmp_path / "work").mkdir(exist_ok=True)
        (tmp_path / "log").write_text(log.format(tmp=tmp_path))
        found = last_checkpoint(str(tmp_path / "log"), tmp_path / "work")
        return found.removeprefix(f"{tmp_path}/work/")

    return make


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"out/checkpoint-500/model.bin": "x", "out/checkpoint-1000/model.bin": "x"}, "out/checkpoint-1000"),
        ({"ckpt/last.ckpt": "x", "ckpt/epoch=3-step=9.ckpt": "x"}, "ckpt/epoch=3-step=9.ckpt"),
        ({"checkpoints/weights.bin": "x"}, "checkpoints"),
        ({"runs/global_step200/mp_rank_00.pt": "x", "train.py": "x"}, "runs/global_step200"),
        ({"model_ckpt_10.pt": "x", "model_ckpt_20.pt": ""}, "model_ckpt_10.pt"),
        ({"train.py": "x", "data/big.bin": "x", "checkpointing.txt": "x"}, ""),
        ({".git/checkpoint-1/x": "x"}, ""),
    ],
)
def test_by_name(made, files, expected):
    assert made(files) == expected


def test_the_log_tells_of_other_places(made, tmp_path):
    elsewhere = tmp_path / "scratch" / "weights.bin"
    elsewhere.parent.mkdir()
    elsewhere.write_text("x")
    named = "../scratch/weights.bin"
    assert made({"train.py": "x"}, f"Saved checkpoint to {named}\n") == named


def test_what_the_log_makes_up_is_not_there(made):
    assert made({"train.py": "x"}, "saved checkpoint to /nowhere/x.pt; rm -rf / saved to ../../../etc\n" * 3) == ""


def test_links_are_not_followed(made, tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "last.ckpt").symlink_to("/etc/passwd")
    assert made({"train.py": "x"}) == ""


def test_what_others_may_have_written_is_not_gone_on_from(tmp_path):
    """A directory that several jobs share, or that held checkpoints before this one began."""
    (tmp_path / "checkpoint-9.pt").write_text("x")
    log = tmp_path / "log"
    log.write_text("step 1\n")
    made_s = os.stat(tmp_path / "checkpoint-9.pt").st_mtime
    assert last_checkpoint(str(log), tmp_path, made_s - 60) == str(tmp_path / "checkpoint-9.pt")
    assert last_checkpoint(str(log), tmp_path, made_s + 60) == "", "it was there before"
    assert last_checkpoint(str(log), tmp_path, made_s - 60, is_alone=False) == "", "it may be another's"
    log.write_text("saved checkpoint to ./checkpoint-9.pt\n")
    assert last_checkpoint(str(log), tmp_path, made_s + 60, is_alone=False).endswith("checkpoint-9.pt")
