"""`ConfigParser`: text by section, and numbers where the program asks for them."""

import pytest

HEAD = "import configparser\nc = configparser.ConfigParser()\nc.read('c.ini')\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c['train']['lr']", "0.1"),
        ("c.get('train', 'lr')", "0.1"),
        ("c.getfloat('train', 'lr')", 0.1),
        ("c.getint('train', 'epochs')", 3),
        ("c.getboolean('train', 'amp')", True),
    ],
)
def test_an_option_of_a_section(outcome, text, expected):
    assert outcome(f"{HEAD}x = {text}\n", "", {"c.ini": "[train]\nlr = 0.1\nepochs = 3\namp = yes\n"}) == expected
