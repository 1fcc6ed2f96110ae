"""The standard library, as far as it settles what a program does: arguments, environment, paths, copies."""

import ast
import math
import posixpath
import shlex
from collections.abc import Callable
from dataclasses import replace
from statistics import mean

from schedmate.readers.code.libraries.argument_words import arguments_of
from schedmate.readers.code.libraries.environment import ProcessEnvironment
from schedmate.readers.code.python.builtin_names import leave
from schedmate.readers.code.python.builtins.builtin_functions import compute, fails, make_range
from schedmate.readers.code.python.dynamic_code import find_spec, follow_import_call
from schedmate.readers.code.python.items import get_item
from schedmate.readers.code.python.subclassing import is_class
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.leaving import ProgramRaised
from schedmate.readers.code.values.nested import copied, made_again, wrap
from schedmate.readers.code.values.objects import (
    BoundMethod,
    ExternalResult,
    FileText,
    Function,
    Partial,
    SpawnedCommand,
)
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run, by_names
from schedmate.readers.code.values.run_state import CHANGING
from schedmate.readers.code.values.value import Config, SourceLocation, Value, held, mapping_of, sequence_of, unknown
from schedmate.tools.syntax_tree import literal_value, parse_expression

MOST_FOLDED = 500
MOST_SPAWNED = 24
LONGEST_SPLIT = 20_000
LONGEST_LITERAL = 50_000


def read_literal(call: Call) -> Value | None:
    """Model `ast.literal_eval`."""
    text = call.constant(0)
    if not isinstance(text, str) or len(text) > LONGEST_LITERAL:
        return None
    try:
        if isinstance(text, FileText) and text.path:
            return placed_literal(parse_expression(text.strip(" \t")), text.path)
        return wrap(literal_value(text), call.sources())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return fails(call, "ValueError", *call.args)


def placed_literal(node: ast.expr, path: str) -> Value:
    """Read a literal that a file holds: each part stands on its own line."""
    place = (SourceLocation(path, node.lineno),)
    if isinstance(node, ast.Dict):
        keys = [ast.literal_eval(key or ast.Name("**")) for key in node.keys]
        return Value({key: placed_literal(item, path) for key, item in zip(keys, node.values, strict=True)}, place)
    if isinstance(node, (ast.List, ast.Tuple)):
        items = [placed_literal(item, path) for item in node.elts]
        return Value(items if isinstance(node, ast.List) else tuple(items), place)
    return wrap(ast.literal_eval(node), place)


def copy_value(call: Call) -> Value | None:
    """Model `copy.copy` and `deepcopy`."""
    value = call.need(0)
    if isinstance(value.data, ExternalResult):
        return made_again(value)
    made = copied(value)
    call.run.hand_growth_on(made, value)
    return made


def make_partial(call: Call) -> Value | None:
    """Model `functools.partial`."""
    return Value(Partial(call.args[0], call.args[1:], call.kwargs), (call.spot,)) if call.args else None


def bound_to(call: Call) -> Value | None:
    """Model `types.MethodType(function, owner)`: a method of an object that its class does not have."""
    function, owner = call.need(0), call.need(1)
    made = BoundMethod(owner, function.data) if isinstance(function.data, Function) else Partial(function, [owner], {})
    return Value(made, (call.spot,))


def keep_first(call: Call) -> Value | None:
    """Model what wraps its first argument without changing what it is: `tqdm`, `wraps(f)(g)`, `cast`."""
    return call.arg(0)


def keep_all(call: Call) -> Value | None:
    """Model what wraps all its arguments, as `accelerator.prepare(a, b, ...)`: the same objects come back."""
    return call.args[0] if len(call.args) == 1 else Value(tuple(call.args))


def fold(call: Call) -> Value | None:
    """Model `functools.reduce` over items that are known."""
    function, items = call.arg(0), call.arg(1)
    if function is None or items is None or not isinstance(items.data, (list, tuple)) or len(items.data) > MOST_FOLDED:
        return None
    rest = [*call.args[2:3], *items.data]
    if not rest:
        return None
    value: Value = rest[0]
    for item in rest[1:]:
        value = call.run.call(function, [value, item], {}, call.spot, call.scope)
    return value


def copies_met(call: Call) -> dict[str, str]:
    """Give the copies that a command meets when it starts, be they files that it names, and may change later."""
    run = call.run
    return dict(run.untouched if run.copied and call.name.startswith(CHANGING) else run.copied)


def note_spawn(call: Call) -> Value | None:
    """Keep a command that the program starts: wrappers in Python launch the training like this."""
    command = call.arg(0, "args")
    commands = call.run.about(ProcessSigns).commands
    if command is not None and len(commands) < MOST_SPAWNED:
        loops, env = call.run.loops, call.kwargs.get("env")
        told = env.data if env is not None else None
        told = told.changed if isinstance(told, ProcessEnvironment) else told
        variables = {**call.run.environ, **(told if isinstance(told, dict) else {})}
        count = loops[-1].count if loops else None
        files = dict(call.run.written)
        beside = bool(loops) and not is_waited_for(call, command)
        started = SpawnedCommand(command, call.spot, beside, count, variables, files, told_folder(call))
        commands.append(replace(started, copied=copies_met(call)))
    return Value(ExternalResult(call.name, call.args, call.kwargs, call.spot))


EVERYWHERE = frozenset({"bash", "env", "nice", "nohup", "sh", "stdbuf", "tee", "timeout"})
"""Programs that every machine has on which jobs run."""


def find_program(call: Call) -> Value | None:
    """Model `shutil.which` of a program that is everywhere."""
    name = call.constant(0, "cmd")
    return Value(f"/usr/bin/{name}", call.sources()) if name in EVERYWHERE else None


WAITING = ("subprocess.run", "subprocess.call", "subprocess.check_call", "os.system")


def is_waited_for(call: Call, command: Value) -> bool:
    """Tell a command whose end the program waits for: what a loop starts so runs one after the other."""
    return call.name in WAITING and not str(command.data).rstrip().endswith("&")


def told_folder(call: Call) -> str | None:
    """Give the folder that a command is started in: from where the program is, from its file or from the root."""
    told = call.kwargs.get("cwd")
    path = held(told, ExternalResult)
    text = held(path.kwargs.get("text") if path is not None else told, str) or ""
    for base in (call.run.workdir, posixpath.dirname(call.spot.path), ".") if text else ():
        folder = posixpath.normpath(posixpath.join(base, text))
        if not folder.startswith(("/", "..")) and call.run.repository.is_folder(folder):
            return folder
    return None


def note_launcher(call: Call) -> Value | None:
    """Model `torch.distributed.run.main(words)`: what `torchrun` starts, or with the program's own words."""
    given = call.arg(0, "args")
    words = list(sequence_of(given)) if given is not None and given.data is not None else arguments_of(call.run)
    name = "deepspeed" if call.name.startswith("deepspeed") else "torchrun"
    command = Value([Value(name, (call.spot,)), *words], (call.spot,))
    return note_spawn(Call(call.run, call.name, [command], {}, call.spot, call.scope))


def quote_text(call: Call) -> Value | None:
    """Model `shlex.quote(text)`: what is open in a text stays so."""
    text = call.need(0, "s")
    return Value(shlex.quote(text.data), call.sources()) if isinstance(text.data, str) else text


def split_text(call: Call) -> Value | None:
    """Model `shlex.split(text)`."""
    text = call.text(0)
    try:
        words = shlex.split(text) if len(text) <= LONGEST_SPLIT else []
    except ValueError:
        return None
    return Value([Value(word, call.args[0].src) for word in words], call.args[0].src)


def start_target(call: Call) -> Value | None:
    """Model processes and threads: their target is followed as the first of them; what starts them repeats nothing."""
    target = call.need(-1, "target")
    args = call.kwargs.get("args")
    items, named = list(sequence_of(args)), mapping_of(call.kwargs.get("kwargs"))
    loops, call.run.loops = call.run.loops, []
    try:
        call.run.call(target, items, {str(key): value for key, value in named.items()}, call.spot, call.scope)
    except ProgramRaised:
        pass  # what ends a worker does not end the program
    finally:
        call.run.loops = loops
    return None


def run_elsewhere(call: Call) -> Value | None:
    """Model `cloudpickle.dumps(function)`: a function is written down to be run by another process, once."""
    target = call.need(0, "obj", Function)
    return start_target(Call(call.run, call.name, [], {"target": target}, call.spot, call.scope))


def argument_names(call: Call) -> Value | None:
    """Model `inspect.getfullargspec`: the names of the arguments and what they are annotated with."""
    function: Function = call.need(0, kind=Function).data
    arguments = function.node.args.args
    annotated = {one.arg: one.annotation for one in arguments if one.annotation is not None}
    kinds = {name: call.run.evaluate(node, function.scope) for name, node in annotated.items()}
    return Value(Config({"args": Value([Value(one.arg) for one in arguments]), "annotations": Value(kinds)}))


def fork(call: Call) -> Value | None:
    """Model `os.fork`: the program starts processes itself, and which one this is only the run knows."""
    call.run.about(ProcessSigns).starts = call.spot
    return unknown("parent or child", Value(0))


def of_a_number(function: Callable[[float], float]) -> Hook:
    """Model a function of one known number; of anything else, such as an array, it is the library's."""
    return lambda call: compute(function)(call) if isinstance(call.constant(0), (int, float)) else None


def of_numbers(function: Callable[[list[float]], float]) -> Hook:
    """Model a function of a row of known numbers; of anything else, and along one side of it, it is the library's."""

    def hook(call: Call) -> Value | None:
        row = call.need(0, "a", (list, tuple)).data
        plain = len(call.args) == 1 and not call.kwargs and row and all(type(one.data) in (int, float) for one in row)
        return Value(function([one.data for one in row]), call.sources()) if plain else None

    return hook


GATHERED: dict[Callable[[list[float]], float], str] = {sum: "sum", max: "max amax", min: "min amin", mean: "mean"}

CURVES = {"cos": math.cos, "sin": math.sin, "exp": math.exp, "tanh": math.tanh, "log10": math.log10}
"""What schedules that are written by hand are made of."""

HOOKS: dict[str, Hook] = {
    **by_names("sys.exit os._exit", leave),
    "ast.literal_eval": read_literal,
    "inspect.getfullargspec": argument_names,
    "inspect.isclass": is_class,
    **by_names("functools.partial jax.tree_util.Partial", make_partial),
    "types.MethodType": bound_to,
    "functools.reduce": fold,
    "operator.getitem": lambda call: get_item(call.run, call.need(0), call.need(1), call.scope),
    "functools.wraps": lambda call: Value(LibraryMethod(keep_first, "wraps")),
    "functools.lru_cache": lambda call: Value(LibraryMethod(keep_first, "lru_cache")),
    **by_names("functools.cache functools.update_wrapper contextlib.contextmanager", keep_first),
    "typing.cast": lambda call: call.arg(1),
    **by_names("copy.copy copy.deepcopy", copy_value),
    "importlib.import_module": follow_import_call,
    "importlib.util.find_spec": find_spec,
    **by_names("subprocess.run subprocess.call subprocess.check_call subprocess.Popen os.system", note_spawn),
    **by_names("torch.distributed.run.main torch.distributed.launch.main", note_launcher),
    "deepspeed.launcher.runner.main": note_launcher,
    "shlex.split": split_text,
    "shutil.which": find_program,
    **by_names("shlex.quote pipes.quote six.moves.shlex_quote", quote_text),
    "os.fork": fork,
    "os.execvp": lambda call: note_spawn(Call(call.run, call.name, call.args[1:], {}, call.spot, call.scope)),
    **by_names("multiprocessing.Process threading.Thread", start_target),
    **by_names("cloudpickle.dumps dill.dumps", run_elsewhere),
    **by_names("tqdm.trange tqdm.auto.trange", lambda call: make_range(replace(call, kwargs={}))),
    **by_names("math.ceil numpy.ceil", compute(math.ceil)),
    **by_names("math.floor numpy.floor", compute(math.floor)),
    **by_names("math.sqrt numpy.sqrt", compute(math.sqrt)),
    **by_names("math.log2 numpy.log2", compute(math.log2)),
    "math.log": compute(math.log),
    **{name: of_a_number(find) for found, find in CURVES.items() for name in (f"math.{found}", f"numpy.{found}")},
    "math.pow": compute(math.pow),
    **by_names("math.gcd numpy.gcd", compute(math.gcd)),
    **by_names("math.lcm numpy.lcm", compute(math.lcm)),
    **{f"numpy.{name}": of_numbers(find) for find, names in GATHERED.items() for name in names.split()},
    **by_names("math.prod numpy.prod numpy.product", compute(math.prod)),
    "numpy.int32": compute(int),
    "numpy.float32": compute(float),
}
VALUES: dict[str, Callable[[Run], Value]] = {
    "argparse.REMAINDER": lambda run: Value("..."),
    "argparse.ZERO_OR_MORE": lambda run: Value("*"),
    "argparse.ONE_OR_MORE": lambda run: Value("+"),
    "argparse.OPTIONAL": lambda run: Value("?"),
    **by_names("math.pi numpy.pi torch.pi", lambda run: Value(math.pi)),
    **by_names("math.inf numpy.inf", lambda run: Value(math.inf)),
    "typing.TYPE_CHECKING": lambda run: Value(False),
}
