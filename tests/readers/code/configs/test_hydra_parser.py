"""Hydra's words, where a program parses them itself."""

import pytest

from schedmate.readers.code.configs.hydra_parser import is_sweep


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
