"""Python's own functions over known values and sequences: `int`, `min`, `len`, `range`, `zip`, `any` and their like."""

from tests.readers.code.programs import WITH_OPTIONS


def test_a_mapping_of_what_is_not_known_is_not_empty(outcome):
    assert outcome("import lib\nx = dict(lib.read())\n") == "unknown"


def test_a_long_list_of_words_is_made_text_one_by_one(read):
    files = {
        "train.py": WITH_OPTIONS,
        "start.py": """
            import subprocess

            told = ["--tag", "a"] * 40 + ["--batch", 6, "--lr", 0.5, "--epochs", 3]
            subprocess.call(["python", "train.py"] + list(map(str, told)))
            """,
    }
    found = read(files, "python start.py")
    assert (found.batch_size, found.learning_rate, found.epochs) == (6, 0.5, 3)


def test_how_long_a_text_is_of_which_a_part_is_open_is_not_known(outcome):
    code = "x = 1 if len({!r}) > 8 else 0\n"
    assert outcome(code.format("/d/${PLACE}")) == "unknown"
    assert outcome(code.format("/d/$PLACE")) == 1
