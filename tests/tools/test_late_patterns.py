"""A pattern that is compiled late does what it would have done, and is compiled once."""

import copy
import pickle
import re
from typing import Any

from schedmate.tools.late_patterns import LatePattern, late, late_re2


def test_it_is_compiled_when_it_is_first_used_and_once() -> None:
    made: list[str] = []

    def compiled(text: str) -> Any:
        made.append(text)
        return re.compile(text)

    pattern = LatePattern("pai(nt)", compiled)
    assert pattern.pattern == "pai(nt)"
    assert not made
    assert pattern.search("wet paint")[1] == "nt"
    assert pattern.search("dry") is None
    assert made == ["pai(nt)"]


def test_flags_and_both_kinds_of_patterns_hold() -> None:
    assert late("PAINT", re.I).fullmatch("paint")
    assert late("[ab]+").sub("-", "xabay") == "x-y"
    assert late_re2(r"(?i)brush (?P<number>\d+)").search("Brush 12").group("number") == "12"


def test_it_can_be_copied_and_sent_to_another_process_before_and_after_its_use() -> None:
    pattern = late("pai(nt)")
    assert pickle.loads(pickle.dumps(pattern)).search("wet paint")[1] == "nt"
    assert copy.deepcopy(pattern).search("wet paint")
    assert pattern.search("wet paint")
    assert pickle.loads(pickle.dumps(pattern)).search("dry") is None
