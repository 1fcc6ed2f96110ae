"""What is written as a part of something larger: all of it or nothing, whatever becomes of the whole."""

import pytest

from schedmate.history.live import LiveStore


@pytest.fixture
def store(tmp_path):
    made = LiveStore(tmp_path)
    yield made
    made.close()


def test_a_part_that_fails_leaves_nothing_and_the_whole_goes_on(store):
    heard = []

    def part():
        store.set_fact("drained", "n1")
        store.when_written(lambda: heard.append("part"))
        raise PermissionError("not allowed")

    def whole():
        store.set_fact("before", "1")
        store.when_written(lambda: heard.append("whole"))
        with pytest.raises(PermissionError):
            store.write(part)
        store.write(lambda: store.set_fact("answer", "no"))

    store.write(whole)
    assert [store.fact(name) for name in ("before", "drained", "answer")] == ["1", "", "no"]
    assert heard == ["whole"]


def test_parts_of_parts_and_a_whole_that_fails(store):
    def inner():
        store.set_fact("inner", "1")
        raise ValueError("inner")

    def outer():
        store.set_fact("outer", "1")
        with pytest.raises(ValueError, match="inner"):
            store.write(inner)

    store.write(lambda: store.write(outer))
    assert (store.fact("outer"), store.fact("inner")) == ("1", "")

    def lost():
        store.write(lambda: store.set_fact("lost", "1"))
        raise KeyError

    with pytest.raises(KeyError):
        store.write(lost)
    assert store.fact("lost") == ""
    assert not store.connection.in_transaction
