"""Text of others, made fit to be matched, kept, sent and shown."""

import pytest

from schedmate.tools.plain_text import encodable


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("step 7", "step 7"),
        ("é 𝄞", "é 𝄞"),
        ("a\ud834\udd1eb", "a𝄞b"),
        ("cut \ud83d", "cut ?"),
        ("\udcff!", "?!"),
    ],
)
def test_halves_are_joined_and_a_half_alone_is_replaced(given, made):
    assert encodable(given) == made
