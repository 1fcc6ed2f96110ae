"""Class any Python exception that no catalogue entry knows, unknown user classes included."""

import re

from schedmate.knowledge.catalogue import Failure, Role
from schedmate.readers.failures.lines.tracebacks import Frame, Raised
from schedmate.schemas import Category
from schedmate.tools.late_patterns import late

SHELLS = {
    *(
        "ChildFailedError",
        "ProcessRaisedException",
        "ProcessExitedException",
        "JobExecutionError",
        "CalledProcessError",
    ),
    *("RayTaskError", "RayActorError", "ActorDiedError", "WorkerCrashedError", "TuneError", "TrainingFailedError"),
    *("RayGetError", "RayGetArgumentError", "RayWorkerError"),
    *("RemoteTraceback", "RemoteError", "ExceptionGroup", "BaseExceptionGroup"),
    *("JaxStackTraceBeforeTransformation", "SimplifiedTraceback", "UnfilteredStackTrace"),
}
"""Exceptions that only carry the news that another process failed, or the stack that another exception comes from."""

TRACKERS = late(r"/(?:wandb|comet_ml|neptune|mlflow|clearml|swanlab|tensorboardX?|aim)/")

OF_THE_HOST = {"OSError", "IOError", "MemoryError", "UsageError", "AuthenticationError"}
"""What others on the host will meet, too, and what only its user can mend."""
STANDARD = late(r"/lib/python3\.\d{1,2}/(?:[\w.]{1,40}|(?:multiprocessing|asyncio|concurrent|http|json)/\S*)$")
OF_TORCH = late(r"/torch/")

DEEPEST = 6
"""So many of the innermost calls say whose thread it is, but for those of Python itself."""
AFTERMATH = {
    *("BrokenPipeError", "ConnectionResetError", "ConnectionAbortedError", "EOFError", "BrokenProcessPool"),
    *("DistBackendError", "DistNetworkError", "DistStoreError", "RendezvousConnectionError", "RendezvousClosedError"),
}
"""Exceptions that a process sees when its peer has died."""

TELLING = frozenset(
    {
        *("AttributeError", "FileExistsError", "FileNotFoundError", "IndexError", "JSONDecodeError", "KeyError"),
        *("ModuleNotFoundError", "NameError", "NotImplementedError", "TypeError", "UnboundLocalError", "ValueError"),
        *("UnicodeDecodeError", "UnicodeEncodeError", "ZeroDivisionError"),
    }
)
"""Exceptions whose kind says that a program gave something wrong, whoever noticed it; RuntimeError says nothing."""

STOPS = {
    *("KeyboardInterrupt", "InterruptedException", "SystemExit", "SignalException", "GeneratorExit", "CancelledError"),
}
"""Exceptions that somebody outside asked for."""

PEER_GONE = late(
    r"(?i)connection (?:closed|reset|refused|aborted)|broken pipe|remote process exited|socket (?:closed|timeout)"
    r"|peer (?:is )?(?:closed|dead|gone|unreachable)|nccl (?:communicator|error)|process group .{0,40}abort"
)
"""What a collective says when the other end has died."""

COMPILERS = late(r"/torch/_(?:inductor|dynamo|functorch|export)/|/triton/|/tensorflow/compiler/|/jaxlib/|/torch_xla/")

WRAPPERS = late(
    r"/torch/distributed/(?:fsdp/_|_composable/|tensor/_)|/deepspeed/runtime/(?:zero|pipe)/|/fairscale/nn/"
    r"|/megatron/core/(?:distributed|optimizer|pipeline_parallel)/|/colossalai/(?:zero|booster|pipeline)/"
)
"""Where libraries keep what is spread over ranks: nobody's program calls in there."""
OF_THEIR_OWN = {"RuntimeError", "AssertionError", "AttributeError", "IndexError", "UnboundLocalError"}
"""What code raises where something is wrong within it; with other exceptions libraries refuse what they are given."""
INTERNAL = late(r"INTERNAL ASSERT FAILED|please report a bug|internal error|InternalError|BackendCompilerFailed")
LIBRARY = late(r"/(?:site|dist)-packages/|/lib/python\d|^<frozen |/conda/envs?/[^/]+/lib/|^<string>$|\.egg/")
CAUGHT = late(r"Caught \w+ in (?:DataLoader worker|replica|pin memory)")

CARRIED_WEIGHT = 0.3
"""Of an exception that only hands on another, which is printed below it."""

CUT_WEIGHT = 0.24
"""Of a stack whose exception is not in the log: whatever else explains the end is heard first."""


def failure_of(raised: Raised) -> Failure:
    """Say what an exception without an entry means; the program is to blame until something speaks otherwise."""
    role: Role = "root"
    category, weight = category_of(raised), 0.8
    if raised.name in SHELLS or is_carried(raised):
        role, weight = "cascade", CARRIED_WEIGHT
    elif raised.name in AFTERMATH or PEER_GONE.search(raised.message[:400]):
        role, weight = "cascade", 0.5
    elif raised.name in STOPS:
        role, category, weight = "teardown", "other", 0.4
    if raised.thread:
        weight *= 0.7
    if not raised.qualified:
        role, weight = "cascade", CUT_WEIGHT
    place = innermost(raised)
    where = f" at {place.path}:{place.line}" if place else ""
    what = (
        f"raised {raised.qualified}" if raised.qualified else "raised an exception that the log does not hold any more,"
    )
    return Failure(
        id=f"{category}.{snake(raised.name)}",
        pattern="",
        role=role,
        category=category,
        restart="no",
        weight=weight,
        literals=(),
        meaning=f"The program {what}{where}. A restart would meet it again.",
        action="Correct the program, its arguments or its data, then submit again.",
        source="Python: built-in exceptions",
        samples=(),
        near_misses=(),
        general=not raised.qualified,
        after=() if raised.qualified else ("termination", "peer"),
    )


def by_its_stack(failure: Failure, raised: Raised) -> Failure:
    """Class what an entry knows by where it came up: within a library, or in a worker that handed it on."""
    if is_carried(raised) and failure.role == "root":
        return failure._replace(role="cascade", weight=CARRIED_WEIGHT)
    inside = is_of_library(raised) or is_of_wrapper(raised)
    return (
        failure._replace(category="framework")
        if inside and failure.general and failure.category == "script"
        else failure
    )


def is_carried(raised: Raised) -> bool:
    """Tell what a worker of a library raised, as the library hands it on."""
    return CAUGHT.match(raised.message) is not None


def category_of(raised: Raised) -> Category:
    """Blame the stack where a compiler, an assertion inside or a library's thread gave up, else the program."""
    deepest = raised.frames[-1].path if raised.frames else ""
    if is_of_library(raised) or is_of_wrapper(raised):
        return "framework"
    if COMPILERS.search(deepest) or INTERNAL.search(raised.line.text):
        return "framework"
    return "script"


def is_of_library(raised: Raised) -> bool:
    """Tell an exception of a thread that a library runs for itself: no call of the program's own stands in it."""
    return raised.thread and bool(raised.frames) and innermost(raised) is None


def is_of_wrapper(raised: Raised) -> bool:
    """Tell an exception that came up within a library that spreads a model over ranks."""
    inside = bool(raised.frames) and WRAPPERS.search(raised.frames[-1].path) is not None
    return inside and raised.name in OF_THEIR_OWN


def is_caught_inside(raised: Raised) -> bool:
    """Tell an exception that a library met, printed and went on after: no call of the program's stands in its stack."""
    return not raised.leaves and not raised.thread and bool(raised.frames) and innermost(raised) is None


def is_a_trackers(raised: Raised) -> bool:
    """Tell what a tracker met by itself: the program ends, or ends well, without it.

    In a thread that means its other half, which is gone; a stack that begins within the tracker it had caught.
    """
    if raised.name in OF_THE_HOST or innermost(raised) is not None:
        return False
    if (raised.thread and raised.name not in AFTERMATH) or raised.leaves:
        return False
    frames = raised.frames[-DEEPEST:] if raised.thread else raised.frames
    ours = [frame for frame in frames if not STANDARD.search(frame.path)]
    return bool(ours) and all(TRACKERS.search(frame.path) and not OF_TORCH.search(frame.path) for frame in ours)


def innermost(raised: Raised) -> Frame | None:
    """Find the deepest frame that lies in the user's own code."""
    own = [frame for frame in raised.frames if not LIBRARY.search(frame.path)]
    return own[-1] if own else None


def snake(name: str) -> str:
    """Turn ShapeMismatchError into shape_mismatch_error, as failure ids are written."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name[:80]).lower()
