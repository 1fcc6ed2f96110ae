"""What is cut says so, and what a reader looks for stays."""

from schedmate.tools.shortening import around, short


def test_a_text_that_fits_is_left_alone() -> None:
    assert short("abcdef", 6) == "abcdef"
    assert short("abcdefg", 6) == "abcde…"


def test_the_part_that_is_meant_stays_in_sight() -> None:
    text = "parser.add_argument('--batch', help='" + "x" * 200 + "', default=64)"
    cut = around(text, "64", 40)
    assert "64" in cut
    assert cut.startswith("…")
    assert len(cut) <= 40
    assert around("lr = 0.1  # " + "x" * 80, "0.1", 40).startswith("lr = 0.1")
    assert around(text, "not there", 40) == short(text, 40)
