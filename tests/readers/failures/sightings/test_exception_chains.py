"""Exceptions that led to one another: the first is the place, what an entry knows of them the class."""

import pytest

from schedmate import diagnose

CAUSED = "The above exception was the direct cause of the following exception:"


def stack(error, place="/venv/lib/python3.11/site-packages/acme/client.py"):
    return ["Traceback (most recent call last):", f'  File "{place}", line 7, in connect', "    call()", error]


def test_what_a_client_makes_of_an_exception_tells_its_class(tmp_path):
    last = (
        "requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='hub.acme.org', port=443): Max retries exceeded"
    )
    lines = [*stack("TimeoutError: timed out"), "", CAUSED, "", *stack(last)]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.root_line) == ("infrastructure", 4)


def test_what_an_entry_knows_of_the_first_stays(tmp_path):
    first = "OSError: [Errno 28] No space left on device"
    lines = [*stack(first), "", CAUSED, "", *stack("RuntimeError: the size of tensor a (3) must match tensor b (4)")]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.root_line) == ("infrastructure", 4)


def test_two_stacks_that_nothing_joins_tell_nothing_of_each_other(tmp_path):
    last = (
        "requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='hub.acme.org', port=443): Max retries exceeded"
    )
    place = "/home/ann/acme/train.py"
    lines = [*stack("ValueError: no such page", place), "the loader of the lab ended", *stack(last, place)]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    assert diagnose(tmp_path / "job.log").category == "script"


HANDLING = "During handling of the above exception, another exception occurred:"
EMPTY_MAXIMUM = "ValueError: zero-size array to reduction operation max which has no identity"
SIGNALLED = "torch.distributed.elastic.multiprocessing.api.SignalException: Process 47068 got signal: 1"


def test_what_a_process_met_in_its_end_by_a_signal_is_no_cause(tmp_path):
    lines = [*stack(SIGNALLED), "", HANDLING, "", *stack("KeyError: 30"), "", HANDLING, "", *stack(SIGNALLED)]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.root_line) == ("other", 4)
    (tmp_path / "job.log").write_text("\n".join([*stack("KeyError: 30"), "", HANDLING, "", *stack(SIGNALLED)]) + "\n")
    assert diagnose(tmp_path / "job.log").category == "script"


@pytest.mark.parametrize(
    "source",
    [
        f"jax._src.source_info_util.JaxStackTraceBeforeTransformation: {EMPTY_MAXIMUM}",
        f"jax._src.traceback_util.UnfilteredStackTrace: {EMPTY_MAXIMUM}",
        "jax.errors.SimplifiedTraceback: For simplicity, JAX has removed its internal frames from the traceback of the "
        "following exception. Set JAX_TRACEBACK_FILTERING=off to include these.",
    ],
)
def test_the_stack_that_jax_shows_first_is_not_the_exception(tmp_path, source):
    words = EMPTY_MAXIMUM
    lines = [*stack(source, "/home/ann/acme/train.py"), "", CAUSED, "", *stack(words, "/home/ann/acme/train.py")]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.root_line) == ("script", len(lines))


def test_what_a_worker_hands_on_is_stated_where_the_worker_raised_it(tmp_path):
    carried = "pyarrow.lib.ArrowInvalid: Caught ArrowInvalid in DataLoader worker process 2."
    place = "/home/ann/acme/table.py"
    lines = [*stack(carried, place), "Original Traceback (most recent call last):"]
    lines += stack("pyarrow.lib.ArrowInvalid: acme/41.parquet: Parquet magic bytes not found in footer.", place)[1:]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.root_line) == ("script", len(lines))


def test_what_a_program_says_in_its_own_words_of_what_it_caught_is_the_statement(tmp_path):
    place = "/home/ann/acme/tokens.py"
    own = "acme.errors.WrongTokens: the data were packed with 32k pieces, this run has 64k"
    lines = [*stack("KeyError: 'pieces-32k'", place), "", CAUSED, "", *stack(own, place)]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.root_line) == ("script", len(lines))
    lines[-1] = "AttributeError: 'Tokens' object has no attribute 'clos'"
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    assert diagnose(tmp_path / "job.log").root_line == 4


def test_of_tensorflows_several_root_errors_the_first_tells_the_class(tmp_path):
    head = "tensorflow.python.framework.errors_impl.InvalidArgumentError: 2 root error(s) found."
    fault = "  (0) Invalid argument:  logits and labels must be broadcastable: logits_size=[64,21] labels_size=[32,21]"
    (tmp_path / "job.log").write_text("\n".join([*stack(head), fault]) + "\n")
    assert diagnose(tmp_path / "job.log").failure_id == "tensorflow.shape"
    (tmp_path / "job.log").write_text(
        "\n".join([*stack(head.replace("InvalidArgument", "Internal")), "  (0) Internal: nothing is known"]) + "\n"
    )
    assert diagnose(tmp_path / "job.log").failure_id == "tensorflow.op_error"


@pytest.mark.parametrize(("code", "line"), [("except client.Refused as error:", 10), ("client.call(page)", 4)])
def test_what_a_program_would_have_caught_is_no_cause_but_the_clause_is_that_failed(tmp_path, code, line):
    handling = "During handling of the above exception, another exception occurred:"
    first = ("Traceback (most recent call last):", '  File "/home/ann/read.py", line 7, in page', "    call()")
    last = (first[0], '  File "/home/ann/read.py", line 9, in page', f"    {code}")
    wrong = "AttributeError: module 'client' has no attribute 'Refused'"
    lines = [*first, "acme.PageError: no page 'a:b'", "", handling, *last, wrong]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    assert diagnose(tmp_path / "job.log").root_line == line


LIBRARY = "/venv/lib/python3.11/site-packages/acme/{}.py"


def called(error, *calls):
    """Write an exception with the calls that led to it: file, function."""
    frames = [line for file, function in calls for line in (f'  File "{file}", line 9, in {function}', "    call()")]
    return ["Traceback (most recent call last):", *frames, error]


TRIED = called("ValueError: no session is open", (LIBRARY.format("cloud"), "begin"), (LIBRARY.format("web"), "session"))
REFUSED = "acme.web.Refused: 418 for https://figures.acme.org/login"
AROUND = [("/home/ann/fit.py", "<module>"), (LIBRARY.format("cloud"), "begin"), (LIBRARY.format("login"), "login")]


def root_of(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log").root_line


def test_what_a_library_did_otherwise_and_failed_in_is_the_statement(tmp_path):
    lines = [*TRIED, "", HANDLING, "", *called(REFUSED, *AROUND, (LIBRARY.format("web"), "post"))]
    assert root_of(tmp_path, lines) == len(lines)


@pytest.mark.parametrize(
    ("error", "function"),
    [("acme.web.Refused: 418 (ValueError: no session is open)", "post"), (REFUSED, "close_session")],
    ids=["handed on", "closed"],
)
def test_what_it_hands_on_or_met_as_it_closed_things_is_not(tmp_path, error, function):
    lines = [*TRIED, "", HANDLING, "", *called(error, *AROUND, (LIBRARY.format("web"), function))]
    assert root_of(tmp_path, lines) == len(TRIED)


@pytest.mark.parametrize("function", ["_modelOpened", "take_model", "log_in", "http_error_418"])
def test_a_word_counts_whole_only(tmp_path, function):
    lines = [*TRIED, "", HANDLING, "", *called(REFUSED, *AROUND, (LIBRARY.format("web"), function))]
    assert root_of(tmp_path, lines) == len(lines)


@pytest.mark.parametrize(
    ("code", "function"),
    [
        ("self.give_back(pages, error)", "give_back"),
        ("note(exc_info=sys.exc_info())", "note"),
        ("pages.finalize('broken')", "finalize"),
        ("reportBroken(pages)", "reportBroken"),
    ],
)
def test_who_is_handed_the_exception_or_ends_and_tells_goes_no_other_way(tmp_path, code, function):
    around = called(REFUSED, *AROUND[:2], (LIBRARY.format("cloud"), function), (LIBRARY.format("web"), "put"))
    around[4] = f"    {code}"
    lines = [*TRIED, "", HANDLING, "", *around]
    assert root_of(tmp_path, lines) == len(TRIED)


def test_what_the_programs_own_calls_met_is_the_first(tmp_path):
    own = called("KeyError: 'pages'", (LIBRARY.format("cloud"), "begin"), ("/home/ann/pages.py", "first"))
    lines = [*own, "", HANDLING, "", *called(REFUSED, *AROUND, (LIBRARY.format("web"), "post"))]
    assert root_of(tmp_path, lines) == len(own)
