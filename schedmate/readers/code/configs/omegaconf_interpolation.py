"""OmegaConf's interpolation: `${a.b}`, `${.sibling}`, `${oc.env:VAR,default}`, resolved where it can be."""

import ast
from dataclasses import dataclass, field
from typing import Any

import re2

from schedmate.readers.code.configs.merging import find_path
from schedmate.readers.code.libraries.argument_words import guess
from schedmate.readers.code.python.calls import nowhere
from schedmate.readers.code.python.modules.source import try_parse
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.value import SourceLocation, Unknown, Value, is_constant, join_spots, unknown

REFERENCE = re2.compile(r"\$\{([^${}]*)\}")
MOST_ROUNDS = 8


def resolve_all(run: Run, root: Value) -> None:
    """Resolve every text of a configuration in place."""
    visit(run, root, root, [], 0, set())


def visit(run: Run, root: Value, node: Value, path: list[str], depth: int, seen: set[int]) -> None:
    """Resolve what lies under a node."""
    data = node.data
    if depth > 40 or id(data) in seen or not isinstance(data, (dict, list)):
        return
    seen.add(id(data))
    for key, value in list(data.items() if isinstance(data, dict) else enumerate(data)):
        if isinstance(value.data, str) and "${" in value.data:
            data[key] = resolved(run, root, value, path)
            if isinstance(data[key].data, Unknown):
                run.about(CustomResolvers).wait(WaitingText(root, data, key, value, path))
        else:
            visit(run, root, value, [*path, str(key)], depth + 1, seen)


def resolved(run: Run, root: Value, value: Value, path: list[str]) -> Value:
    """Resolve one text; what refers to something absent is unknown."""
    sources = [value]
    for _ in range(MOST_ROUNDS):
        text = value.data
        if not isinstance(text, str) or "${" not in text or len(text) > 4000:
            return value
        match = REFERENCE.search(text)
        if match is None:
            return unknown("an interpolation that is not resolved", *sources)
        found = look_up(run, root, match.group(1).strip(), path)
        if found is None:
            return unknown(f"{match.group(0)} is not resolved", *sources)
        sources.append(found)
        if match.group(0) == text:
            value = Value(found.data, join_spots(found, value))
        elif is_constant(found):
            value = Value(text[: match.start()] + str(found.data) + text[match.end() :], join_spots(value, found))
        else:
            return unknown("an interpolation that is not resolved", *sources)
    return unknown("an interpolation that never ends", *sources)


MOST_ROOTS, MOST_NODES = 8, 4_000


def interpolated(run: Run, node: Value, value: Value) -> Value:
    """Resolve a text of a configuration that was loaded and not merged, when the program asks for it."""
    loaded = [root for kind, root in run.configs if kind.endswith("OmegaConf.load")][-MOST_ROOTS:]
    for root in reversed(loaded):
        path = path_to(root, node.data)
        if path is not None:
            return resolved(run, root, value, path)
    return value


def path_to(root: Value, node: object) -> list[str] | None:
    """Find the way from a configuration to one of its sections."""
    waiting: list[tuple[object, list[str]]] = [(root.data, [])]
    for place, path in waiting:
        if place is node:
            return path
        if len(waiting) < MOST_NODES and isinstance(place, dict):
            waiting += [(item.data, [*path, str(key)]) for key, item in place.items() if isinstance(item.data, dict)]
    return None


def look_up(run: Run, root: Value, name: str, path: list[str]) -> Value | None:
    """Find what a reference means."""
    if ":" in name:
        function, _, argument = name.partition(":")
        if function in ("oc.env", "env"):
            variable, _, default = argument.partition(",")
            known = run.environ.get(variable.strip())
            if known is not None:
                return known
            return Value(guess(default)) if default else None
        if function in ("eval", "resolve", "oc.eval"):
            return evaluate_text(run, argument.strip().strip("'\"").strip())
        return by_own_resolver(run, function, argument)
    if name.startswith("."):
        stripped = name.lstrip(".")
        up = len(name) - len(stripped) - 1
        base = path[: len(path) - up] if up else path
        return find_path(root, ".".join([*base, stripped]))
    return find_path(root, name)


def by_own_resolver(run: Run, name: str, text: str) -> Value | None:
    """Call the function that the program registered under a resolver's name, with the words behind the colon."""
    function = run.about(CustomResolvers).by_name.get(name)
    if function is None:
        return None
    words = [word.strip() for word in text.split(",")] if text else []
    args = [Value(word[1:-1] if word[:1] in "'\"" and len(word) > 1 else guess(word)) for word in words]
    found: Value = run.call(function, args, {}, SourceLocation("", 1), nowhere())
    return found if is_constant(found) else None


MOST_WAITING = 400


@dataclass(frozen=True, eq=False)
class WaitingText:
    """A text of a configuration that could not be resolved, and where it stands."""

    root: Value
    section: dict[Any, Value] | list[Value]  # Any: keys are what the YAML has
    key: Any  # Any: of a mapping or of a list
    value: Value
    path: list[str]


@dataclass
class CustomResolvers:
    """The functions that a program gives OmegaConf for `${name:...}`, and what was composed before it gave them."""

    by_name: dict[str, Value] = field(default_factory=dict)
    waiting: list[WaitingText] = field(default_factory=list)

    def wait(self, text: WaitingText) -> None:
        """Keep a text that a later resolver may settle: OmegaConf resolves when it is asked."""
        if len(self.waiting) < MOST_WAITING:
            self.waiting.append(text)


def settle_waiting(run: Run, name: str) -> None:
    """Resolve what waits for a resolver, and then what refers to that."""
    known = run.about(CustomResolvers)
    texts = [one for one in known.waiting if f"${{{name}:" in one.value.data]
    for text in [*texts, *(one for one in known.waiting if one not in texts)] if texts else []:
        found = resolved(run, text.root, text.value, text.path)
        if not isinstance(found.data, Unknown):
            text.section[text.key] = found
            known.waiting.remove(text)


def register_resolver(call: Call) -> Value | None:
    """Model `OmegaConf.register_new_resolver(name, function)`."""
    name, function = call.constant(0, "name"), call.arg(1, "resolver")
    if isinstance(name, str) and function is not None:
        call.run.about(CustomResolvers).by_name[name] = function
        settle_waiting(call.run, name)
    return Value(None)


HOOKS: dict[str, Hook] = {
    **by_names("omegaconf.OmegaConf.register_new_resolver omegaconf.OmegaConf.register_resolver", register_resolver)
}


def evaluate_text(run: Run, text: str) -> Value | None:
    """Follow an expression that stands in a configuration."""
    tree, _ = try_parse(text[:1000])
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    value = run.evaluate(tree.body[0].value, nowhere())
    return Value(value.data) if is_constant(value) else None
