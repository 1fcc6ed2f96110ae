"""Tracebacks are put together whatever cuts through them, and any user's exception counts."""

from schedmate.readers.failures.lines.exceptions import failure_of
from schedmate.readers.failures.lines.tracebacks import TracebackReader
from schedmate.readers.lines import clean


def read(text):
    reader = TracebackReader()
    lines = ((number, number, clean(line)) for number, line in enumerate(text.splitlines(), 1) if line.strip())
    return [raised for number, start, line in lines if (raised := reader.take(number, start, line))]


def test_ranks_that_interleave_are_told_apart():
    found = read(
        """\
[rank3]: Traceback (most recent call last):
[rank5]: Traceback (most recent call last):
[rank3]:   File "train.py", line 88, in <module>
[rank5]:   File "train.py", line 90, in <module>
[rank3]:     main()
[rank5]:     evaluate()
[rank3]: zoo.feeding.Hungry: no bananas left
[rank5]: KeyError: 'lion'
"""
    )
    assert [(one.line.rank, one.name, one.frames[-1].line, one.number) for one in found] == [
        (3, "Hungry", 88, 7),
        (5, "KeyError", 90, 8),
    ]
    assert failure_of(found[0]).category == "script"
    assert failure_of(found[0]).id == "script.hungry"


def test_a_chain_gives_each_exception_and_a_bar_in_the_middle_is_passed_over():
    first, second = read(
        """\
Traceback (most recent call last):
  File "a.py", line 1, in load
 45%|####5     | 45/100 [00:10<00:12,  4.5it/s]
    open(path)
FileNotFoundError: [Errno 2] No such file or directory: 'x.bin'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "a.py", line 9, in main
    load()
    ^^^^^^
app.LoadFailed: could not load x
"""
    )
    assert (first.name, first.number) == ("FileNotFoundError", 5)
    assert (second.name, second.message) == ("LoadFailed", "could not load x")


def test_what_python_survives_is_not_fatal():
    found = read(
        """\
Exception ignored in: <function Pool.__del__ at 0x7f>
Traceback (most recent call last):
  File "pool.py", line 5, in __del__
    self.join()
AttributeError: 'Pool' object has no attribute 'join'
Traceback (most recent call last):
  File "b.py", line 2, in <module>
    1 / 0
ZeroDivisionError: division by zero
"""
    )
    assert [one.fatal for one in found] == [False, True]


def test_what_pythons_own_cleaning_prints_is_not_fatal():
    (found,) = read(
        """\
Traceback (most recent call last):
  File "/usr/lib/python3.10/multiprocessing/util.py", line 300, in _run_finalizers
    finalizer()
  File "/usr/lib/python3.10/multiprocessing/synchronize.py", line 87, in _cleanup
    sem_unlink(name)
FileNotFoundError: [Errno 2] No such file or directory
"""
    )
    assert not found.fatal
    assert not found.leaves


def test_a_compiler_that_gave_up_is_the_frameworks_fault():
    (raised,) = read(
        """\
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    step(x)
  File "/opt/lib/python3.11/site-packages/torch/_inductor/codegen/triton.py", line 77, in emit
    raise SomethingOdd(node)
torch._inductor.exc.SomethingOdd: no lowering for node
"""
    )
    assert failure_of(raised).category == "framework"


def test_a_log_level_is_no_exception():
    assert read('Traceback (most recent call last):\n  File "a.py", line 1, in f\nERROR: going on\n') == []
