"""What a shell, a launcher or a program says right behind a progress bar is read as a line of its own."""

import pytest

from schedmate import diagnose
from schedmate.readers.failures.lines.glued_bars import behind_a_bar
from schedmate.readers.lines import clean

BARS = {
    "tqdm": "train:  20%|##        | 3/15 [1:27:15<5:56:40, 178.41s/it, loss=3.71, lr=0.01]",
    "tqdm with brackets": "Epoch 4:  61%|######    | 61/100 [00:31<00:20,  1.9it/s, lrs=[0.1, 0.2], v_num=3]",
    "keras": "120/500 [====>.........] - ETA: 0:21 - loss: 0.3021 - accuracy: 0.8912",
    "rich": "Training   40/100 0:01:02 • 0:03:00 3.20it/s",
    "dots": "copying the shards to the local disk ......",
}
WORDS = {"Killed": "python.killed", "Segmentation fault (core dumped)": "python.segfault"}


def read(tmp_path, lines):
    (tmp_path / "job.out").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.out")


@pytest.mark.parametrize("prefix", ["", "[rank3]: ", "2026-03-02 11:00:01 ", "node07: "])
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("bar", BARS.values(), ids=BARS)
def test_a_shells_word_behind_a_bar_counts(tmp_path, bar, word, prefix):
    found = read(tmp_path, ["loading", prefix + bar + word])
    assert (found.failure_id, found.root_line) == (WORDS[word], 2)


@pytest.mark.parametrize("bar", [BARS["tqdm"], BARS["tqdm with brackets"]])
def test_a_launchers_word_behind_a_bar_counts_and_keeps_the_facts_of_its_own_prefix(tmp_path, bar):
    said = "slurmstepd: error: *** JOB 4711 ON gpu17 CANCELLED AT 2026-03-01T12:00:00 DUE TO TIME LIMIT ***"
    assert read(tmp_path, ["loading", f"{bar}{said}"]).failure_id == read(tmp_path, [said]).failure_id
    line = behind_a_bar(clean(f"[rank2]: {bar}2026-03-01 12:00:00 RuntimeError: out of paper"))
    assert (line.text, line.rank, line.clock) == ("RuntimeError: out of paper", 2, "epoch")


@pytest.mark.parametrize(
    "line",
    [
        BARS["tqdm"],
        BARS["keras"],
        f"{BARS['tqdm']}, errors=3",
        "10/500 [>.........] - ETA: 0:21 - size: 1.25GB",
        "state=Killed",
        "the worker was (Killed)",
        "reads 50% of lines | 3/5 [see below] Killed",
    ],
)
def test_what_is_no_word_behind_a_bar_stays(line):
    assert behind_a_bar(clean(line)) == clean(line)
