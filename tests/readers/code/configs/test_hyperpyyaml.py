"""SpeechBrain's hyperpyyaml alone: references, arithmetic, objects, and overrides of the command line."""

import pytest

LOAD = (
    "import sys\nimport speechbrain as sb\nfrom hyperpyyaml import load_hyperpyyaml\n"
    "file, options, overrides = sb.parse_arguments(sys.argv[1:])\n"
    "with open(file) as f:\n    h = load_hyperpyyaml(f, overrides)\n"
)


@pytest.mark.parametrize(
    ("config", "words", "expected"),
    [
        ("x: 3\n", "", 3),
        ("n: 3\nx: !ref <n>\n", "", 3),
        ("n: 3\nx: !ref <n> * 2\n", "", 6),
        ("n: 3\nx: !ref run_<n>\n", "", "run_3"),
        ("n: {m: 4}\nx: !ref <n[m]>\n", "", 4),
        ("n: 3\nx: !ref <n>\n", "--n=5", 5),
        ("n: 3\nx: !ref <n>\n", "--n 5", 5),
        ("x: !PLACEHOLDER\n", "--x=7", 7),
    ],
)
def test_tags(outcome, config, words, expected):
    assert outcome(f"{LOAD}x = h['x']\n", f"c.yaml {words}", {"c.yaml": config}) == expected


@pytest.mark.parametrize("tag", ["new", "apply"])
def test_an_object_is_named_with_what_it_is_made_of(follow, tag):
    run, names = follow(f"{LOAD}x = h['x']\n", "c.yaml", {"c.yaml": f"x: !{tag}:torch.optim.Adam\n  lr: 0.1\n"})
    assert names["x"].data.callee == "torch.optim.Adam"
    assert [event.kwargs["lr"].data for event in run.events if event.name == "torch.optim.Adam"] == [0.1]


def test_references_in_a_circle_are_unknown(outcome):
    assert outcome(f"{LOAD}x = h['x']\n", "c.yaml", {"c.yaml": "a: !ref <x>\nx: !ref <a>\n"}) == "unknown"
