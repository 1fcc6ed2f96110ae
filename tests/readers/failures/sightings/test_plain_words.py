"""Words alone tell of what a line speaks, or that it states nothing; any text is read in bounded time."""

import pytest

from schedmate.readers.failures.sightings.plain_words import ENTRIES, WORDS, entry_of, shipped, told_by_words, words_of


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("board 2 of kiln07 has stopped answering, its driver has given it up", "infrastructure/gpu"),
        ("the NVLink between GPU 1 and GPU 4 is dead, host is of no use for eight cards", "infrastructure/nvlink"),
        ("port 9 of leaf fern has lost light, kiln07 has no way into the fabric any more", "infrastructure/network"),
        ("the file system /scratch of kiln07 has gone read-only after disk errors", "infrastructure/node"),
        ("cooling pump 1 stands still, racks of row B are being switched off", "infrastructure/other"),
        ("the loss is not a number since step 40, I stop here: check the learning rate", "script"),
        ("job was stopped by its owner from the web page", "other"),
    ],
)
def test_a_fault_is_told_by_its_words(line, kind):
    told = told_by_words(line)
    assert told is not None
    assert (told.kind, told.sure > 0.8) == (kind, True)


@pytest.mark.parametrize(
    "line",
    [
        "epoch 3 step 120 loss 2.31 lr 0.0003 grad norm 0.8",
        "saving the model and the state of the optimizer to runs/fern/last",
        "all eight cards of kiln07 are well, hottest 61 C",
        "loading the tokenizer and the configuration of the model",
        "rank 4 waits for the others at the barrier",
    ],
)
def test_what_ends_no_job_is_not(line):
    told = told_by_words(line)
    assert told is None or told.sure < 0.8


@pytest.mark.parametrize("text", ["", "7 8 9", "xqz vvk", "\x00\ud800", "é" * 90, "ö b c d e f g h i j"])
def test_what_holds_no_known_words_tells_nothing(text):
    assert told_by_words(text) is None


def test_only_the_beginning_of_a_line_is_read():
    assert words_of("pump " * 100_000) == {"pump", "pump pump"}


def test_endings_are_cut():
    assert words_of("answers answered answering") == {"answer", "answer answer"}


def test_every_kind_has_an_entry_and_weights():
    kinds = shipped().kinds
    assert {*ENTRIES, "none"} == {*kinds}
    assert all(len(row) == len(kinds) for row in shipped().words.values())
    assert all(entry_of(kind).id.startswith(WORDS) for kind in ENTRIES)
