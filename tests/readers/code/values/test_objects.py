"""What followed code makes: the repository's functions, classes and objects, and what a library's call gave."""

from schedmate.readers.code.values.objects import Function
from schedmate.readers.code.values.scopes import Module, Scope


def test_a_function_is_shown_without_all_that_it_reaches():
    scope = Scope(Module("train", "train.py", "."), {})
    assert "Scope" not in repr(Function("make", None, scope, [], {}))
