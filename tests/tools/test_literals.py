"""Both engines find the same strings, caring not for case."""

import pytest

from schedmate.tools import literals
from schedmate.tools.literals import LiteralScanner

WORDS = ("Xid (PCI", "out of memory", "a.b*c", "größe", "Traceback")


@pytest.mark.parametrize("engine", ["hyperscan", "re2"])
def test_strings_are_found_once_a_block_whatever_their_case(engine, monkeypatch):
    if engine == "re2":
        monkeypatch.setattr(literals, "compile_hyperscan", lambda words, kept_as: None)
    elif literals.compile_hyperscan([b"x"], "literals") is None:
        pytest.skip("hyperscan is not installed here")
    scanner = LiteralScanner(WORDS)
    block = "NVRM: XID (pci:0) xid (pci:1) Out Of Memory größe a.b*c axbxc \n".encode()
    found = {scanner.literals[number].decode(): block[:end].lower() for end, number in scanner.find(block)}
    assert set(found) == {"xid (pci", "out of memory", "a.b*c", "größe"}
    assert all(text.endswith(word.encode()) for word, text in found.items())
    assert found["xid (pci"].count(b"xid") == 1
    assert scanner.find(b"nothing here") == []
