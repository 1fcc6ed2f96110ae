"""SpeechBrain's hyperpyyaml: YAML whose tags refer to other values, make objects, and name classes."""

import ast

import re2

from schedmate.knowledge.code_words import words
from schedmate.readers.code.configs.files import base_path, load_config
from schedmate.readers.code.configs.merging import put_path
from schedmate.readers.code.configs.yaml_text import TaggedNode
from schedmate.readers.code.libraries.argument_words import guess, split_words, word_text, words_given
from schedmate.readers.code.python.modules.named_files import path_in_repository
from schedmate.readers.code.python.operators import operate
from schedmate.readers.code.values.objects import ExternalResult, FileHandle, FileText, Partial
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.value import (
    Config,
    External,
    Items,
    SourceLocation,
    Value,
    find_in,
    is_constant,
    join_spots,
    mapping_of,
    unknown,
)

REFERENCE = re2.compile(r"<([^<>]+)>")
DEEPEST = 30
RUN_OPTIONS = frozenset(words("configurations.speechbrain_options"))


class TagResolver:
    """Resolve the tags of one document; a circle of references is unknown."""

    def __init__(self, run: Run, root: Value, path: str, spot: SourceLocation) -> None:
        self.run = run
        self.root = root
        self.path = path
        self.spot = spot
        self.busy: set[int] = set()
        self.known: dict[int, Value] = {}

    def resolved(self, value: Value, depth: int = 0) -> Value:
        """Resolve a value and what lies under it."""
        key = id(value.data)
        if isinstance(value.data, (TaggedNode, dict, list)):
            if key in self.known:
                return self.known[key]
            if key in self.busy or depth > DEEPEST:
                return unknown("a reference that goes in a circle")
            self.busy.add(key)
            try:
                made = self.compound(value, depth)
            finally:
                self.busy.discard(key)
            self.known[key] = made
            return made
        return value

    def compound(self, value: Value, depth: int) -> Value:
        """Resolve a tagged value, a mapping or a list."""
        data = value.data
        if isinstance(data, TaggedNode):
            return self.tagged(data, value, depth)
        if isinstance(data, dict):
            return Value(Config({key: self.resolved(item, depth + 1) for key, item in data.items()}), value.src)
        return Value([self.resolved(item, depth + 1) for item in data], value.src)

    def tagged(self, data: TaggedNode, value: Value, depth: int) -> Value:
        """Carry a tag out: references and includes are followed, objects are only named."""
        kind, _, name = data.tag.partition(":")
        if kind in ("ref", "copy"):
            return self.reference(str(data.value.data), value.src, depth)
        if kind == "include":
            return self.include(name, depth)
        if kind == "PLACEHOLDER":
            return unknown("a placeholder that the command line fills")
        if kind not in ("new", "name", "apply", "module"):
            return self.resolved(data.value, depth + 1)
        inner = self.resolved(data.value, depth + 1)
        kwargs = {str(key): item for key, item in mapping_of(inner).items()}
        args = list(inner.data) if isinstance(inner.data, list) else []
        spot = value.src[0] if value.src else self.spot
        made = Value(ExternalResult(name, args, kwargs, spot), (spot,))
        if kind in ("new", "apply", "name"):
            self.run.record(name, args, kwargs, spot, None, made)
        if kind == "name":
            return Value(Partial(Value(External(name), (spot,)), args, kwargs), (spot,))
        return made

    def reference(self, text: str, src: tuple[SourceLocation, ...], depth: int) -> Value:
        """Resolve `<a>`, `<a> * <b>` and `<folder>/name`."""
        names = REFERENCE.findall(text)
        values = [self.look_up(str(name), depth) for name in names]
        if len(names) == 1 and text.strip() == f"<{names[0]}>":
            return Value(values[0].data, (*values[0].src, *src)[:4])
        if not all(is_constant(one) for one in values):
            return unknown("made from what is not known", *values)
        return self.computed(text, names, values, src)

    def computed(self, text: str, names: list[str], values: list[Value], src: tuple[SourceLocation, ...]) -> Value:
        """Compute plain arithmetic between two parts, else put the texts in."""
        for mark, op in (
            (" * ", ast.Mult()),
            (" // ", ast.FloorDiv()),
            (" / ", ast.Div()),
            (" + ", ast.Add()),
            (" - ", ast.Sub()),
        ):
            left, found, right = text.partition(mark)
            if found and mark not in right:
                sides = [self.side(part, names, values) for part in (left, right)]
                if all(isinstance(side.data, (int, float)) for side in sides):
                    return Value(operate(op, *sides).data, join_spots(*values, Value(0, src)))
        for name, value in zip(names, values, strict=True):
            text = text.replace(f"<{name}>", str(value.data), 1)
        return Value(text[:4000], join_spots(*values, Value(0, src)))

    def side(self, part: str, names: list[str], values: list[Value]) -> Value:
        """Give one side of an operation."""
        stripped = part.strip().strip("()")
        for name, value in zip(names, values, strict=True):
            if stripped == f"<{name}>":
                return value
        return Value(guess(stripped))

    def look_up(self, name: str, depth: int) -> Value:
        """Find what a reference means; `<a[b]>` and `<a.b>` reach inside."""
        found = find_in(self.root, name.replace("[", ".").replace("]", ""))
        return self.resolved(found, depth + 1) if found is not None else unknown(f"<{name}> is not set")

    def include(self, name: str, depth: int) -> Value:
        """Include another file."""
        below = base_path(self.run, self.path, Value(name))
        loaded = load_config(self.run, below) if below and depth < 6 else None
        return self.resolved(loaded, depth + 1) if loaded is not None else unknown(f"{name} is not in the repository")


def load_hyperpyyaml(call: Call) -> Value | None:
    """Model `load_hyperpyyaml(file, overrides)`."""
    source = call.arg(0, "yaml_stream")
    if source is not None and isinstance(source.data, FileText):
        path: str | None = source.data.path
    elif source is not None and isinstance(source.data, FileHandle):
        path = source.data.path
    else:
        path = path_in_repository(call.run, source, call.scope)
    loaded = load_config(call.run, path) if path else None
    if loaded is None or path is None or not isinstance(loaded.data, dict):
        return unknown("hyperparameters that are not in the repository")
    overrides = call.arg(1, "overrides")
    if overrides is not None and isinstance(overrides.data, dict):
        for key, value in overrides.data.items():
            put_path(loaded, str(key), value)
    made = TagResolver(call.run, loaded, path, call.spot).resolved(loaded)
    call.run.offer(made, "hyperpyyaml")
    return Value(dict(made.data), made.src)


def parse_arguments(call: Call) -> Value | None:
    """Model `sb.parse_arguments(argv)`: the file, options of the run, and overrides of the file."""
    given = call.arg(0, "arg_list")
    words = words_given(call.run, given)
    options, free = split_words(words)
    named = [word for word in free if isinstance(word.data, str)] or free[-1:]
    file = named[0] if named else unknown("no file of hyperparameters is named")
    run_options: Items = {}
    overrides: Items = {}
    for one in options:
        read = Value(guess(word_text(one.value)) if one.value is not None else True, one.src)
        (run_options if one.name in RUN_OPTIONS else overrides)[one.name] = read
    run_options.setdefault("device", Value("cuda", (call.spot,)))
    call.run.namespaces.append(Value(Config(run_options)))
    return Value((file, Value(run_options), Value(overrides)))


ENDINGS: dict[str, Hook] = {
    "load_hyperpyyaml": load_hyperpyyaml,
    **by_names("speechbrain.parse_arguments core.parse_arguments", parse_arguments),
}
