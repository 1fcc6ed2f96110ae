"""Words of a command line that stand in files."""

import pytest

PARSER = """
import argparse
class Parser(argparse.ArgumentParser):
{method}
p = Parser(fromfile_prefix_chars="@")
p.add_argument("--rate", type=float, default=0.5)
p.add_argument("--rows", type=int, default=5)
p.add_argument("--note")
a = p.parse_args()
x = [a.rate, a.rows]
"""


def test_each_line_of_a_named_file_is_a_word(outcome):
    files = {"words.txt": "--rate=0.25\n--rows\n12\n"}
    assert outcome(PARSER.format(method="    pass"), "@words.txt --rows 14", files) == [0.25, 14]


def test_a_parser_of_the_programs_own_takes_lines_apart(outcome):
    method = "    def convert_arg_line_to_args(self, line):\n        return line.split()"
    assert outcome(PARSER.format(method=method), "@words.txt", {"words.txt": "--rate 0.25 --rows 12\n"}) == [0.25, 12]


def test_files_that_name_each_other_end(outcome):
    files = {"words.txt": "@words.txt\n--rows=3\n"}
    assert outcome(PARSER.format(method="    pass"), "@words.txt", files) == [0.5, 3]


def test_an_empty_word_names_no_file(outcome):
    assert outcome(PARSER.format(method="    pass"), "--note '' --rate 0.25") == [0.25, 5]


@pytest.mark.parametrize(
    ("told", "words", "expected"),
    [
        ("args_file_flag='--plan'", "--plan plans/deep --rows 14", [0.25, 14, "cold"]),
        ("args_file_flag='--plan'", "--rows 14 --plan=plans/deep", [0.25, 14, "cold"]),
        ("args_file_flag='--plan'", "--plan plans/none", [0.5, 5, ""]),
        ("args_filename='plans/deep'", "", [0.25, 12, "cold"]),
        ("", "", [0.75, 5, ""]),
        ("look_for_args_file=False", "", [0.5, 5, ""]),
    ],
)
def test_transformers_parser_reads_words_from_files(outcome, told, words, expected):
    code = (
        "from dataclasses import dataclass\nfrom transformers import HfArgumentParser\n"
        "@dataclass\nclass Told:\n    rate: float = 0.5\n    rows: int = 5\n    start: str = ''\n\n"
        f"(told,) = HfArgumentParser(Told).parse_args_into_dataclasses({told})\n"
        "x = [told.rate, told.rows, told.start]\n"
    )
    files = {"plans/deep": '--rate 0.25\n--rows 12\n--start "cold"\n'}
    files |= {} if "=" in told and "look" not in told else {"main.args": "--rate 0.75\n"}
    assert outcome(code, words, files) == expected
