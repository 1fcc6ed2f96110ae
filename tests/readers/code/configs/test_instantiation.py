"""What a configuration describes is made: by `_target_`, with what stands below it made first."""

import pytest

HEAD = "from hydra.utils import instantiate, get_class\n"
OWN = {
    "own.py": "class Net:\n    def __init__(self, depth=1, inner=None):\n"
    "        self.depth = depth\n        self.inner = inner\n"
    "def rate(a, b=2):\n    return a * b\n"
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = instantiate({'_target_': 'own.rate', 'a': 3})", 6),
        ("x = instantiate({'_target_': 'own.rate', 'a': 3}, b=5)", 15),
        ("x = instantiate({'_target_': 'own.rate', '_args_': [3, 4]})", 12),
        ("x = instantiate({'_target_': 'own.rate', '_partial_': True, 'b': 7})(2)", 14),
        ("x = instantiate({'_target_': 'own.Net', 'inner': {'_target_': 'own.rate', 'a': 4}}).inner", 8),
        ("x = instantiate({'_target_': 'own.Net', '_recursive_': False, 'inner': {'k': 1}}).inner", {"k": 1}),
        ("x = instantiate({'a': {'_target_': 'own.rate', 'a': 1}})['a']", 2),
        ("x = instantiate({'class': 'own.rate', 'params': {'a': 5}})", 10),
        ("x = get_class('own.Net')(depth=9).depth", 9),
    ],
)
def test_what_a_node_describes_is_made(outcome, text, expected):
    assert outcome(f"{HEAD}{text}\n", "", OWN) == expected


def test_a_librarys_class_is_noted_as_called(follow):
    run, _ = follow(f"{HEAD}instantiate({{'_target_': 'torch.optim.Adam', 'lr': 0.1}})\n")
    assert [event.kwargs["lr"].data for event in run.events if event.name == "torch.optim.Adam"] == [0.1]
