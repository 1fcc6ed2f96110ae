"""The standard library, as far as it settles what a program does: arguments, environment, paths, copies."""

import ast
import math
import posixpath
from typing import TYPE_CHECKING, Any

from schedmate.readers.code.natives import Call, Hook, Native, NativeMethod
from schedmate.readers.code.python.builtin_names import (
    compute,
    copy_value,
    fails,
    follow_import_call,
    give_locals,
    leave,
    path_in_repository,
)
from schedmate.readers.code.things import FileHandle, Function, Made, Partial
from schedmate.readers.code.trees import rebuilt, wrap
from schedmate.readers.code.values import Config, Spot, Val, is_constant, join_spots, unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedmate.readers.code.python.run import Run

LAUNCHER_VARIABLES = (
    "RANK",
    "WORLD_SIZE",
    "LOCAL_RANK",
    "LOCAL_WORLD_SIZE",
    "GROUP_RANK",
    "SLURM_",
    "OMPI_",
    "PMI_",
    "MASTER_",
    "LOCAL_SIZE",
    "MPI_",
    "PMIX_",
    "NODE_RANK",
    "MV2_",
)


class Environ(Native):
    """The environment: what the launcher and the command set; other variables are taken as not set."""

    def __init__(self, run: "Run") -> None:
        self.run = run

    def item(self, key: Any) -> Val | None:
        """Give a variable."""
        return self.run.environ.get(key)

    def contains(self, key: Val) -> bool | None:
        """Tell whether a variable is set; only for those that launchers set can absence be known."""
        if not isinstance(key.data, str):
            return None
        if key.data in self.run.environ:
            return True
        return False if key.data.startswith(LAUNCHER_VARIABLES) else None

    def put(self, key: Any, value: Val) -> None:
        """Set a variable."""
        if isinstance(key, str) and len(self.run.environ) < 500:
            self.run.journal.put(self.run.environ, key, value)

    def get(self, name: str) -> Val | None:
        """Give the mapping's methods."""
        if name in ("get", "setdefault", "pop"):
            return Val(NativeMethod(read_variable, name, Val(self)))
        return Val(NativeMethod(lambda call: unknown("the environment"), name)) if name in ("copy", "items") else None


def read_variable(call: Call) -> Val | None:
    """Model `os.environ.get` and `os.getenv`."""
    name = call.constant(0, "key")
    default = call.arg(1, "default") or Val(None)
    known = call.run.environ.get(name) if isinstance(name, str) else None
    if known is not None and "$" in str(known.data):
        return unknown(f"variable {name} is set where it cannot be seen", known)
    if known is None and call.name == "setdefault" and isinstance(name, str):
        call.run.journal.put(call.run.environ, name, default)
    value = known or default
    if isinstance(name, str):
        call.run.saw(name.lower(), value)
    return value


def join_paths(call: Call) -> Val | None:
    """Model `os.path.join`; an unknown part at the end keeps nothing."""
    if all(isinstance(arg.data, str) for arg in call.args):
        return Val(posixpath.join(*[arg.data[:2000] for arg in call.args])[:4000], call.sources())
    texts = [arg.data for arg in call.args if isinstance(arg.data, str)]
    return unknown("a path that is not known", *[arg for arg in call.args if arg.data in texts])


def path_function(name: str) -> Hook:
    """Model a function of `os.path` that only looks at the text."""
    function = getattr(posixpath, name)

    def hook(call: Call) -> Val | None:
        text = call.constant(0)
        return wrap(function(text), call.sources()) if isinstance(text, str) else None

    return hook


def same_path(call: Call) -> Val | None:
    """Model `abspath` and its like: the path is kept as it is written."""
    value = call.arg(0)
    if value is not None and isinstance(value.data, Made) and "text" in value.data.kwargs:
        return value.data.kwargs["text"]
    return value if value is not None and isinstance(value.data, str) else None


def path_exists(call: Call) -> Val | None:
    """Model `exists`: true of the repository's own files, else not known."""
    value = call.arg(0) or call.owner
    if value is not None and path_in_repository(call.run, value, call.scope) is not None:
        return Val(True)
    return unknown("a file that may exist", *call.args[:1])


def make_path(call: Call) -> Val | None:
    """Model `pathlib.Path`."""
    parts = [arg.data.kwargs.get("text", arg) if isinstance(arg.data, Made) else arg for arg in call.args]
    if not parts or not all(isinstance(part.data, str) for part in parts):
        return Val(Made(call.name, call.args, {}, call.spot))
    text = Val(posixpath.join(*[part.data[:2000] for part in parts])[:4000], join_spots(*parts))
    return Val(Made(call.name, [text], {"text": text}, call.spot, attrs=path_attributes(text)), text.src)


def path_attributes(text: Val) -> dict[str, Val]:
    """Give a path's name, stem and suffix, and what can be read from it."""
    name = posixpath.basename(text.data)
    stem, suffix = posixpath.splitext(name)
    parts = {"name": name, "stem": stem, "suffix": suffix}
    found = {key: Val(value, text.src) for key, value in parts.items()}
    methods: dict[str, Callable[[Call], Val | None]] = {
        "open": open_path,
        "read_text": open_path,
        "exists": path_exists,
        "is_file": path_exists,
        "resolve": lambda call: remake_path(text, call),
        "absolute": lambda call: remake_path(text, call),
        "expanduser": lambda call: remake_path(text, call),
        "as_posix": lambda call: text,
        "joinpath": lambda call: make_path(
            Call(call.run, "pathlib.Path", [text, *call.args], {}, call.spot, call.scope)
        ),
    }
    found.update({key: Val(NativeMethod(hook, key, text)) for key, hook in methods.items()})
    parent = posixpath.dirname(text.data) or "."
    if parent != text.data and parent.count("/") < 40:
        up = Val(parent, text.src)
        found["parent"] = Val(Made("pathlib.Path", [up], {"text": up}, Spot("", 1), attrs=path_attributes(up)))
        above = found["parent"].data.attrs.get("parents")
        found["parents"] = Val([found["parent"], *(above.data if above is not None else [])])
    return found


def remake_path(text: Val, call: Call) -> Val | None:
    """Give the same path again."""
    return make_path(Call(call.run, "pathlib.Path", [text], {}, call.spot, call.scope))


def open_path(call: Call) -> Val | None:
    """Model a path's `open` and `read_text`."""
    path = path_in_repository(call.run, call.owner, call.scope)
    if path is None:
        return None
    handle = Val(FileHandle(path), (Spot(path, 1),))
    if call.name == "open":
        return handle
    from schedmate.readers.code.python.builtin_methods import read_file

    return read_file(Call(call.run, "read", [], {}, call.spot, call.scope, handle))


def read_literal(call: Call) -> Val | None:
    """Model `ast.literal_eval`."""
    text = call.constant(0)
    if not isinstance(text, str) or len(text) > 10_000:
        return None
    try:
        return wrap(ast.literal_eval(text), call.sources())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return fails(call, "ValueError", *call.args)


def make_partial(call: Call) -> Val | None:
    """Model `functools.partial`."""
    return Val(Partial(call.args[0], call.args[1:], call.kwargs), (call.spot,)) if call.args else None


def keep_first(call: Call) -> Val | None:
    """Model what wraps its first argument without changing what it is: `tqdm`, `wraps(f)(g)`, `cast`."""
    return call.arg(0)


def make_namespace(call: Call) -> Val | None:
    """Model `SimpleNamespace`, `Namespace`, `EasyDict` and other mappings with attributes."""
    items: dict[Any, Val] = {}
    if call.args and isinstance(call.args[0].data, dict):
        items.update(call.args[0].data)
    items.update(call.kwargs)
    return Val(Config({key: deepen(value) for key, value in items.items()}), (call.spot,))


def deepen(value: Val) -> Val:
    """Make mappings inside mappings answer to attributes too."""
    return value if isinstance(value.data, Config) else rebuilt(value, Config)


def make_ordered(call: Call) -> Val | None:
    """Model `OrderedDict` and `defaultdict`."""
    from schedmate.readers.code.python.builtin_names import make_dict

    args = call.args[1:] if call.name.endswith("defaultdict") else call.args
    return make_dict(Call(call.run, "dict", args, call.kwargs, call.spot, call.scope))


def note_spawn(call: Call) -> Val | None:
    """Keep a command that the program starts: wrappers in Python launch the training like this."""
    command = call.arg(0, "args")
    if command is not None and len(call.run.flags.setdefault("spawned", [])) < 4:
        call.run.flags["spawned"].append((command, call.spot, bool(call.run.loops)))
    return Val(Made(call.name, call.args, call.kwargs, call.spot))


def start_target(call: Call) -> Val | None:
    """Model processes and threads: their target is followed as the first of them."""
    target = call.arg(-1, "target")
    args = call.kwargs.get("args")
    if target is None:
        return None
    items = list(args.data) if args is not None and isinstance(args.data, (list, tuple)) else []
    kwargs = call.kwargs.get("kwargs")
    named = kwargs.data if kwargs is not None and isinstance(kwargs.data, dict) else {}
    call.run.call(target, items, {str(key): value for key, value in named.items()}, call.spot, call.scope)
    return None


HOOKS: dict[str, Hook] = {
    "os.getenv": read_variable,
    "os.path.join": join_paths,
    "os.path.basename": path_function("basename"),
    "os.path.dirname": path_function("dirname"),
    "os.path.splitext": path_function("splitext"),
    "os.path.split": path_function("split"),
    "os.path.normpath": path_function("normpath"),
    "os.path.abspath": same_path,
    "os.path.realpath": same_path,
    "os.path.expanduser": same_path,
    "os.path.expandvars": same_path,
    "os.path.exists": path_exists,
    "os.path.isfile": path_exists,
    "os.path.isdir": lambda call: unknown("a folder that may exist"),
    "os.getcwd": lambda call: Val("."),
    "os.path.relpath": same_path,
    "pathlib.Path.cwd": lambda call: make_path(Call(call.run, "pathlib.Path", [Val(".")], {}, call.spot, call.scope)),
    "os.fspath": same_path,
    "pathlib.Path": make_path,
    "pathlib.PurePath": make_path,
    "sys.exit": leave,
    "os._exit": leave,
    "ast.literal_eval": read_literal,
    "inspect.getfullargspec": lambda call: argument_names(call),
    "functools.partial": make_partial,
    "functools.wraps": lambda call: Val(NativeMethod(keep_first, "wraps")),
    "functools.lru_cache": lambda call: Val(NativeMethod(keep_first, "lru_cache")),
    "functools.cache": keep_first,
    "functools.update_wrapper": keep_first,
    "contextlib.contextmanager": keep_first,
    "typing.cast": lambda call: call.arg(1),
    "copy.copy": copy_value,
    "copy.deepcopy": copy_value,
    "importlib.import_module": follow_import_call,
    "dataclasses.asdict": give_locals,
    "dataclasses.replace": lambda call: replace_fields(call),
    "types.SimpleNamespace": make_namespace,
    "argparse.Namespace": make_namespace,
    "collections.OrderedDict": make_ordered,
    "collections.defaultdict": make_ordered,
    "collections.namedtuple": lambda call: make_record_class(call),
    "subprocess.run": note_spawn,
    "subprocess.call": note_spawn,
    "subprocess.check_call": note_spawn,
    "subprocess.Popen": note_spawn,
    "os.system": note_spawn,
    "os.execvp": lambda call: note_spawn(Call(call.run, call.name, call.args[1:], {}, call.spot, call.scope)),
    "multiprocessing.Process": start_target,
    "threading.Thread": start_target,
    "math.ceil": compute(math.ceil),
    "math.floor": compute(math.floor),
    "math.sqrt": compute(math.sqrt),
    "math.log2": compute(math.log2),
    "math.log": compute(math.log),
    "math.prod": compute(math.prod),
    "numpy.prod": compute(math.prod),
    "numpy.sqrt": compute(math.sqrt),
    "numpy.log2": compute(math.log2),
    "numpy.ceil": compute(math.ceil),
    "numpy.floor": compute(math.floor),
    "numpy.int32": compute(int),
    "numpy.float32": compute(float),
}
ENDINGS: dict[str, Hook] = {
    "EasyDict": make_namespace,
    "edict": make_namespace,
    "Munch": make_namespace,
    "munchify": make_namespace,
    "AttrDict": make_namespace,
    "DotMap": make_namespace,
    "Box": make_namespace,
    "addict.Dict": make_namespace,
}


def argument_names(call: Call) -> Val | None:
    """Model `inspect.getfullargspec`: the names of the arguments and what they are annotated with."""
    value = call.arg(0)
    function = value.data if value is not None else None
    if not isinstance(function, Function):
        return None
    arguments = function.node.args.args
    annotated = {one.arg: one.annotation for one in arguments if one.annotation is not None}
    kinds = {name: call.run.evaluate(node, function.scope) for name, node in annotated.items()}
    return Val(Config({"args": Val([Val(one.arg) for one in arguments]), "annotations": Val(kinds)}))


def replace_fields(call: Call) -> Val | None:
    """Model `dataclasses.replace`."""
    value = copy_value(call)
    if value is not None and hasattr(value.data, "attrs"):
        value.data.attrs.update(call.kwargs)
    return value


def make_record_class(call: Call) -> Val | None:
    """Model `namedtuple`: calling it gives a mapping with attributes."""
    fields = call.arg(1)
    names: list[Any] = []
    if fields is not None and isinstance(fields.data, str):
        names = fields.data.replace(",", " ").split()
    elif fields is not None and isinstance(fields.data, (list, tuple)):
        names = [item.data for item in fields.data if is_constant(item)]

    def make(inner: Call) -> Val:
        items = {**dict(zip(names, inner.args, strict=False)), **inner.kwargs}
        return Val(Config(items), (inner.spot,))

    return Val(NativeMethod(make, "namedtuple"))


def give_arguments(run: "Run") -> Val:
    """Give `sys.argv`, always the same list, since programs change it."""
    if "argv" not in run.flags:
        run.flags["argv"] = Val(list(run.argv))
    value: Val = run.flags["argv"]
    return value


def give_environment(run: "Run") -> Val:
    """Give `os.environ`."""
    return Val(Environ(run))


def give_import_path(run: "Run") -> Val:
    """Give `sys.path`, always the same list: what a program adds to it is looked in."""
    if "sys.path" not in run.flags:
        run.flags["sys.path"] = Val([])
    value: Val = run.flags["sys.path"]
    return value


VALUES: "dict[str, Callable[[Run], Val]]" = {
    "sys.argv": give_arguments,
    "os.environ": give_environment,
    "sys.path": give_import_path,
    "os.sep": lambda run: Val("/"),
    "os.name": lambda run: Val("posix"),
    "sys.platform": lambda run: Val("linux"),
    "argparse.REMAINDER": lambda run: Val("..."),
    "argparse.ZERO_OR_MORE": lambda run: Val("*"),
    "argparse.ONE_OR_MORE": lambda run: Val("+"),
    "argparse.OPTIONAL": lambda run: Val("?"),
    "math.pi": lambda run: Val(math.pi),
    "math.inf": lambda run: Val(math.inf),
    "numpy.inf": lambda run: Val(math.inf),
    "sys.executable": lambda run: Val("python"),
    "typing.TYPE_CHECKING": lambda run: Val(False),
    "sys.version_info": lambda run: Val((Val(3), Val(11), Val(0))),
}
