"""Mappings that are filled under keys which only the run knows."""

import pytest

OPEN = "import socket\nname = socket.gethostname()\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("d = {}\nd[name] = 4\nx = d[name]", 4),
        ("d = {}\nif name not in d:\n    d[name] = 4\nx = d[name]", 4),
        ("d = {'a': 1}\nd[name] = 4\nd[name] = 5\nx = d[name]", 5),
        ("d = {}\nd[name] = 4\nx = d.get(name)", 4),
        ("d = {}\nx = d.setdefault(name, [])\nx.append(4)\nx = d[name]", [4]),
        ("from collections import OrderedDict\nd = OrderedDict()\nd[name] = 4\nx = 0\nfor k in d:\n    x = d[k]", 4),
        ("d = {}\nd[name] = 4\nx = 0\nfor k, v in d.items():\n    x = v", 4),
        ("d = {}\nd[name] = 4\nx = list(d.values())[0]", 4),
        ("d = {}\nd[name] = 4\nkeys = list(d.keys())\nx = d[keys[0]]", 4),
    ],
)
def test_what_is_put_under_an_open_key_is_found_again(outcome, text, found):
    assert outcome(OPEN + text) == found


@pytest.mark.parametrize(
    "text",
    [
        "d = {}\nd[name] = 4\nx = d['other']",
        "d = {}\nif socket.x():\n    d[name] = 4\nelse:\n    d[name] = 5\nx = d[name]",
        "d = {}\nd[name] = 4\nif socket.x():\n    d[name] = 5\nx = d[name]",
        "d = {}\nd[name] = 4\ndel d[name]\nx = d.get(name, 7)",
        "d = {}\nd[name] = 4\nd.clear()\nx = d.get(name, 7)",
        "d = {}\nd[name] = 4\nd.update({name: 7})\nx = d[name]",
        "d = {}\nd[name] = 4\nx = d[socket.getfqdn()]",
        "d = {}\nd[name] = 4\nx = len(d) + 1",
        "d = {}\nd[name] = 4\nx = 'other' in d",
    ],
)
def test_an_open_key_tells_nothing_of_others(outcome, text):
    assert outcome(OPEN + text) == "unknown"
