"""What the process is given: its arguments, its environment, the folders that modules are looked up in."""

from collections.abc import Callable, Hashable

from schedmate.knowledge.code_words import words
from schedmate.readers.code.python.modules.imports import search_path
from schedmate.readers.code.values.objects import LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run
from schedmate.readers.code.values.value import Items, Value, unknown

LAUNCHER_VARIABLES = words("processes.launcher_variables")

HIDDEN = {"", "-1"}
"""What `CUDA_VISIBLE_DEVICES` is set to where no GPU is to be seen."""


class ProcessEnvironment(LibraryObject):
    """The environment: what the launcher and the command set; other variables are taken as not set.

    A copy keeps what is written to it apart, for a process that is started with it.
    """

    def __init__(self, run: Run, changed: Items | None = None) -> None:
        self.run = run
        self.changed = changed

    def item(self, key: Hashable) -> Value | None:
        """Give a variable."""
        if self.changed is not None and key in self.changed:
            return self.changed[key]
        return self.run.environ.get(key) if isinstance(key, str) else None

    def contains(self, key: Value) -> bool | None:
        """Tell whether a variable is set; only for those that launchers set can absence be known."""
        if not isinstance(key.data, str):
            return None
        if key.data in self.run.environ or key.data in (self.changed or {}):
            return True
        return False if key.data.startswith(LAUNCHER_VARIABLES) else None

    def put(self, key: Hashable, value: Value) -> None:
        """Set a variable."""
        home = self.run.environ if self.changed is None else self.changed
        if isinstance(key, str) and len(home) < 500:
            self.run.journal.put(home, key, value)
        if key == "CUDA_VISIBLE_DEVICES" and self.changed is None:
            note_visible(self.run, value)

    def get(self, name: str) -> Value | None:
        """Give the mapping's methods."""
        if name in ("get", "setdefault", "pop"):
            return Value(LibraryMethod(read_variable, name, Value(self)))
        if name == "keys":
            return Value(LibraryMethod(lambda call: call.owner, name, Value(self)))
        if name == "copy":
            made = ProcessEnvironment(self.run, dict(self.changed or {}))
            return Value(LibraryMethod(lambda call: Value(made), name))
        return Value(LibraryMethod(lambda call: unknown("the environment"), name)) if name == "items" else None


def note_visible(run: Run, value: Value) -> None:
    """Keep how many GPUs a program that is alone lets itself see; one of several processes may only mean its own."""
    known = isinstance(value.data, str) and "$" not in value.data and value.data.strip() != "-1"
    parts = [part for part in value.data.split(",") if part.strip()] if known else []
    if parts and value.src and "alone" in run.facts and not run.unsure:
        run.facts["gpus_per_node"] = run.facts["visible"] = Value(len(parts), value.src)
    if isinstance(value.data, str) and value.data.strip() in HIDDEN and "alone" in run.facts and not run.unsure:
        run.facts["hidden"] = value


def read_variable(call: Call) -> Value | None:
    """Model `os.environ.get` and `os.getenv`."""
    name = call.constant(0, "key")
    default = call.arg(1, "default") or Value(None)
    known = call.run.environ.get(name) if isinstance(name, str) else None
    if known is not None and "$" in str(known.data):
        return unknown(f"variable {name} is set where it cannot be seen", known)
    if known is None and call.name == "setdefault" and isinstance(name, str):
        call.run.journal.put(call.run.environ, name, default)
    if known is None and call.arg(1, "default") is None:
        default = Value(None, (call.spot,))
        call.run.unset.add(call.spot)
    value = known or default
    if isinstance(name, str):
        call.run.saw(name.lower(), value)
    return value


HOOKS: dict[str, Hook] = {
    "os.getenv": read_variable,
    "platform.system": lambda call: Value("Linux"),
}
VALUES: dict[str, Callable[[Run], Value]] = {
    "sys.argv": lambda run: run.arguments,
    "os.environ": lambda run: Value(ProcessEnvironment(run)),
    # Always the same list: what a program adds to it is looked in.
    "sys.path": search_path,
    "os.name": lambda run: Value("posix"),
    "sys.platform": lambda run: Value("linux"),
    "sys.executable": lambda run: Value("python"),
    "sys.version_info": lambda run: Value((Value(3), Value(11), Value(0))),
}
