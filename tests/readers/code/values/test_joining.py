"""What a name stands for after two ways, and which values count as true."""

from hypothesis import given
from hypothesis import strategies as st

from schedmate.readers.code.values.joining import join, truth
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.scopes import MISSING, WriteJournal
from schedmate.readers.code.values.value import SourceLocation, Unknown, Value, unknown

HERE = SourceLocation("train.py", 3)
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5))


@given(PLAIN)
def test_two_ways_that_agree_leave_the_value(data):
    assert join(Value(data, (HERE,)), Value(data)).data == data


@given(PLAIN, PLAIN)
def test_two_ways_that_differ_leave_an_unknown_that_knows_both(one, other):
    joined = join(Value(one), Value(other)).data
    if type(one) is type(other) and one == other:
        assert joined == one
    else:
        assert isinstance(joined, Unknown)
        assert [part.data for part in joined.parts] == [one, other]
        assert joined.is_true == (bool(one) and bool(other))


def test_true_and_one_are_two_values():
    assert isinstance(join(Value(True), Value(1)).data, Unknown)


def test_a_wrapped_object_stays_the_object():
    model = Value(ExternalResult("torch.nn.Linear", [], {}, HERE))
    wrapped = Value(ExternalResult("torch.nn.parallel.DistributedDataParallel", [model], {}, HERE))
    assert join(model, wrapped) is wrapped
    assert join(wrapped, model) is wrapped


def test_what_is_true():
    assert truth(Value([])) is False
    assert truth(Value({"a": Value(1)})) is True
    assert truth(unknown("an argument")) is None
    assert truth(Value(ExternalResult("torch.nn.Linear", [], {}, HERE))) is True
    assert truth(Value(ExternalResult("os.environ.get", [], {}, HERE))) is None


def test_a_journal_takes_the_writes_of_a_way_back_and_makes_them_again():
    journal, names, items = WriteJournal(), {"lr": Value(1)}, [Value(1)]
    outer = journal.begin()
    journal.put(names, "lr", Value(2))
    journal.put(names, "new", Value(3))
    journal.drop(names, "lr")
    journal.touch(items)
    items.append(Value(2))
    written = journal.finish(outer)
    assert {key: value.data for key, value in names.items()} == {"lr": 1}
    assert len(items) == 1
    assert (id(names), "lr") in written
    assert written[id(names), "lr"][2] is MISSING
    journal.replay(written)
    assert list(names) == ["new"]
    assert len(items) == 2
