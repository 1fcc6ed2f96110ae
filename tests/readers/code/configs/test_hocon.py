"""Read HOCON into values that know their lines, and ask for them by paths and kinds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.readers.code.configs.hocon import read_hocon
from schedmate.readers.code.values.nested import plain
from schedmate.readers.code.values.value import Value, is_unknown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1\nb : two\nc { d = 0.5, e = yes }", {"a": 1, "b": "two", "c": {"d": 0.5, "e": True}}),
        ("{ a: [1, 2,\n 3], b: 5e-4 }", {"a": [1, 2, 3], "b": 5e-4}),
        ("a.b.c = 1\na.b.d = 2 // not more\na { e = 3 } # nor less", {"a": {"b": {"c": 1, "d": 2}, "e": 3}}),
        (
            'a = "5"\nb = some plain words \nc = ./here/and/there',
            {"a": "5", "b": "some plain words", "c": "./here/and/there"},
        ),
        ("a = 1\na = 2\nb { c = 1 }\nb { c = 4 }", {"a": 2, "b": {"c": 4}}),
        ("a = 3\nb = ${a}\nc = ${a}/x", {"a": 3, "b": 3, "c": "3/x"}),
        ("a = 1\nb = ${a}\na = 2\nc { d = ${e.f} }\ne.f = 4", {"a": 2, "b": 2, "c": {"d": 4}, "e": {"f": 4}}),
        (
            "base { n = 1, on { m = 2 } }\nrun = ${base} { n = 3, on.k = 4 }\nrun.on.m = 5\nlast = ${base}",
            {
                "base": {"n": 1, "on": {"m": 2}},
                "run": {"n": 3, "on": {"m": 5, "k": 4}},
                "last": {"n": 1, "on": {"m": 2}},
            },
        ),
        ("net {\n  skips=[4],\n  use = True\n}\n", {"net": {"skips": [4], "use": True}}),
    ],
)
def test_what_a_text_says(text, expected):
    assert plain(read_hocon(text, "c.conf")) == expected


def test_each_value_knows_its_line_and_what_is_not_here_stays_unknown():
    value = read_hocon('include "base.conf"\nrun {\n  rate = 0.1\n  size = ${far.size}\n}', "c.conf")
    assert value.data["run"].data["rate"].src[0].line == 3
    assert is_unknown(value.data["run"].data["size"])


@pytest.mark.parametrize(
    "text", ["a = 0.1\ninclude 'more.conf'", 'a = 0.1\ninclude "more.conf"', "a = x${a}", "a = ${a}"]
)
def test_what_an_include_may_set_and_what_refers_to_itself_is_open(text):
    value = read_hocon(text, "c.conf")
    assert value is None or is_unknown(value.data["a"])


@pytest.mark.parametrize(
    "text",
    [
        "a = [ += ]",
        "a0 = " + "x" * 40 + "".join(f"\na{n + 1} = ${{a{n}}}${{a{n}}}" for n in range(60)),
        "a0 { b = 1 }" + "".join(f"\na{n + 1} {{ b = ${{a{n}}}, c = ${{a{n}}} }}" for n in range(60)),
    ],
    ids=["no value in a list", "texts that double", "objects that double"],
)
def test_what_grows_without_end_is_left(text):
    value = read_hocon(text, "c.conf")
    assert value is None or is_unknown(value.data["a30"])


@given(st.text(alphabet='{}[]:=,.+$ab1"#/ \n', max_size=60))
def test_no_text_is_too_odd(text):
    assert isinstance(read_hocon(text, "c.conf"), Value | None)


PROGRAM = """
import sys
import torch
from pyhocon import ConfigFactory

{load}
model = torch.nn.Linear(**told["net"])
optimizer = torch.optim.SGD(model.parameters(), lr=told.get_float("train.rate"))
loader = torch.utils.data.DataLoader(open("rows"), batch_size=told["train"].get_int("size", default=3))
for step in range(told.get_int("train.steps")):
    for x in loader:
        model(x).sum().backward()
        optimizer.step()
"""
SETTINGS = """
net { in_features = 4, out_features = 2 }
train {
    rate = 5e-2
    steps = 40
}
"""


@pytest.mark.parametrize(
    "load",
    [
        "told = ConfigFactory.parse_file(sys.argv[1])",
        "text = open(sys.argv[1]).read().replace('NAME', 'x')\ntold = ConfigFactory.parse_string(text)",
    ],
)
def test_a_program_asks_for_settings_by_their_paths(read, load):
    files = {"go.py": PROGRAM.format(load=load), "plan.conf": SETTINGS}
    job = read(files, "python go.py plan.conf")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.05, 3, 40)
    assert [spot.line for spot in job.evidence["learning_rate"] if spot.path == "plan.conf"] == [3]
    assert read(files, "python go.py other.conf").learning_rate is None
