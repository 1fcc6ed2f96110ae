"""Read YAML, JSON, TOML and INI text into values that know their lines; broken text is read as far as it goes."""

import configparser
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import re2
import yaml

from schedmate.readers.code.configs.plain_toml import plain_toml
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.value import Config, SourceLocation, Unknown, Value, is_unknown_by, unknown
from schedmate.tools.plain_text import encodable

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DEEPEST = 60
MOST_NODES = 60_000

MOST_ALIASED = 100_000
"""Nodes below all aliases of a document, each written out: whoever walks its values walks them as a tree."""


MOST_MERGED = 300_000
FLOAT = re2.compile(r"^[-+]?(\d[\d_]*\.?\d*|\.\d+)[eE][-+]?\d+$")

COMMENT = re2.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*(?:[^*]|\*+[^*/])*\*+/')
"""A text, which is kept with all slashes in it, or a comment."""
TRAILING_COMMA = re2.compile(r",(\s*[}\]])")
TABLE = re2.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?")
KEY = re2.compile(r"""^\s*["']?(@?[\w.\-]+)["']?\s*[=:]""")


@dataclass(eq=False, slots=True)
class TaggedNode:
    """A YAML node with a tag of its own, as hyperpyyaml's `!new:` and `!ref`."""

    tag: str
    value: Value


class DocumentTooLarge(Exception):
    """Say that a document is deeper or larger than any configuration."""


def read_yaml(text: str, path: str, tell: Callable[[int], None] = lambda line: None) -> Value | None:
    """Read the first document; None when nothing of it can be read. `tell` hears of the last line before an error."""
    if too_deep(text):
        return None
    for place, cut in enumerate(attempts(text)):
        node = first_document(cut)
        if node is not None:
            if place:
                tell(cut.count("\n") + 1)
            try:
                return NodeConverter(path).value(node, 0)
            except (DocumentTooLarge, RecursionError):
                return None
    return None


def read_documents(text: str, path: str) -> list[Value]:
    """Read all documents of a text without an error."""
    try:
        nodes = [] if too_deep(text) else list(yaml.compose_all(text, Loader=LOADER))
        return [NodeConverter(path).value(node, 0) for node in nodes if node is not None]
    except (yaml.YAMLError, DocumentTooLarge, RecursionError, ValueError):
        return []


def multiplies(value: Value, seen: set[int]) -> bool:
    """Tell values of which some are left open, since aliases or merges multiply."""
    data = value.data
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    inside = inside if id(data) not in seen else ()
    seen.add(id(data))
    return is_unknown_by(value, Reason.MULTIPLYING_ALIASES) or any(multiplies(item, seen) for item in inside)


def attempts(text: str) -> Iterator[str]:
    """Give the whole text, then what stands before the first error."""
    yield text
    cut = cut_at_error(text)
    if cut is not None:
        yield cut


def too_deep(text: str) -> bool:
    """Tell nesting that only an attack has."""
    depth = 0
    for character in text if text.count("[") + text.count("{") > DEEPEST else "":
        depth += (character in "[{") - (character in "]}")
        if depth > DEEPEST:
            return True
    return any(len(line) - len(line.lstrip(" -?:")) > 4 * DEEPEST for line in text.split("\n"))


def first_document(text: str) -> object:
    """Give the first of several documents."""
    try:
        return next(iter(yaml.compose_all(text, Loader=LOADER)), None)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def cut_at_error(text: str) -> str | None:
    """Cut broken YAML before the line with the error, back to the last key at the margin."""
    try:
        yaml.compose(text, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        lines = text.split("\n")[: mark.line if mark is not None else 0]
        while lines and (not lines[-1].strip() or lines[-1][:1] in " \t#-"):
            lines.pop()
        return "\n".join(lines[:-1]) if lines else None
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return None


class NodeConverter:
    """Turn YAML nodes into values; an aliased node is turned once, and left open where aliases multiply."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.known: dict[int, Value] = {}
        self.sizes: dict[int, int] = {}
        self.aliased = 0
        self.merged = 0
        self.loader = yaml.SafeLoader("")

    def value(self, node: yaml.Node, depth: int) -> Value:
        """Turn one node and what lies under it."""
        if id(node) in self.known:
            return self.again(node)
        if depth > DEEPEST or len(self.known) > MOST_NODES:
            raise DocumentTooLarge
        spot = SourceLocation(self.path, node.start_mark.line + 1)
        made: Value
        if isinstance(node, yaml.MappingNode):
            made = Value(Config(), (spot,))
            self.known[id(node)] = made
            is_whole = self.fill(made.data, node, depth)
            made = made if is_whole else Value(unknown(Reason.MULTIPLYING_ALIASES).data, (spot,))
            self.sizes[id(node)] = 1 + sum(self.sizes.get(id(item), 1) for _, item in node.value)
        elif isinstance(node, yaml.SequenceNode):
            made = Value([], (spot,))
            self.known[id(node)] = made
            made.data.extend(self.value(item, depth + 1) for item in node.value)
            self.sizes[id(node)] = 1 + sum(self.sizes.get(id(item), 1) for item in node.value)
        else:
            made = Value(self.scalar(node), (spot,))
        if node.tag.startswith("!") and node.tag != "!":
            made = Value(TaggedNode(node.tag[1:], made), (spot,))
        self.known[id(node)] = made
        return made

    def again(self, node: yaml.Node) -> Value:
        """Give a node's value at an alias; unknown within the node itself, and past what all aliases may add."""
        if isinstance(node, yaml.ScalarNode):
            return self.known[id(node)]
        size = self.sizes.get(id(node))
        if size is None:
            return unknown("an alias of what it stands in")
        if self.aliased + size > MOST_ALIASED:
            return unknown(Reason.MULTIPLYING_ALIASES)
        self.aliased += size
        return self.known[id(node)]

    def merged_value(self, node: yaml.Node, depth: int) -> Value:
        """Give a mapping that another merges; unknown past what all that is merged may add."""
        size = self.sizes.get(id(node))
        if size is None or not isinstance(node, yaml.MappingNode):
            return self.value(node, depth)
        self.merged += size
        return self.known[id(node)] if self.merged <= MOST_MERGED else unknown(Reason.MULTIPLYING_ALIASES)

    def fill(self, mapping: Config, node: yaml.MappingNode, depth: int) -> bool:
        """Fill a mapping: own keys win over merged ones; tell whether all that it merges is known."""
        merged: list[Value] = []
        for key, item in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                several = item.value if isinstance(item, yaml.SequenceNode) else [item]
                merged += [self.merged_value(one, depth + 1) for one in several]
                continue
            name = self.scalar(key) if isinstance(key, yaml.ScalarNode) else str(key.start_mark.line)
            value = self.value(item, depth + 1)
            is_plain = isinstance(item, yaml.ScalarNode) and not item.tag.startswith("!")
            own = (SourceLocation(self.path, key.start_mark.line + 1),)
            mapping[name] = Value(value.data, own) if is_plain else value
        for source in merged:
            if isinstance(source.data, dict):
                for key, value in source.data.items():
                    mapping.setdefault(key, value)
        return not any(isinstance(source.data, Unknown) for source in merged)

    def scalar(self, node: yaml.Node) -> object:
        """Read a scalar as YAML does, and `1e-4` as the number that everyone means."""
        text = encodable(node.value)
        if node.tag == "tag:yaml.org,2002:str":
            plain_style = not getattr(node, "style", None)
            return float(text.replace("_", "")) if plain_style and len(text) < 40 and FLOAT.match(text) else text
        try:
            data = self.loader.construct_object(node)
        except (yaml.YAMLError, ValueError, OverflowError):
            return text
        return data if isinstance(data, (int, float, bool, bytes, type(None))) else text


def read_json(text: str, path: str, tell: Callable[[int], None] = lambda line: None) -> Value | None:
    """Read JSON, comments and trailing commas allowed, through the YAML reader, which knows lines."""
    has_comments = "//" in text or "/*" in text
    cleaned = (str(COMMENT.sub(kept, text)) if has_comments else text).replace("\t", " ")
    cleaned = str(TRAILING_COMMA.sub(r"\1", cleaned))
    value = read_yaml(cleaned, path, tell)
    if value is not None and isinstance(value.data, (dict, list)):
        return value
    try:
        return from_plain(json.loads(text), path, {})
    except (ValueError, RecursionError):
        return None


def kept(found: "re2._Match[str]") -> str:
    """Keep a text, and of a comment the ends of its lines."""
    return str(found.group(1)) if found.group(1) is not None else "\n" * str(found.group(0)).count("\n")


def read_toml(text: str, path: str) -> Value | None:
    """Read TOML; lines are found by walking tables and keys."""
    data = plain_toml(text)
    return None if data is None else from_plain(data, path, lines_of(text))


MOST_DEFAULTS = 100_000
"""Defaults that stand in every section of an INI file, all sections together."""


def read_ini(text: str, path: str, keeps_case: bool = False) -> Value | None:
    """Read an INI file; the names of its options are written small but where the program keeps their letters."""
    parser = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    if keeps_case:
        parser.optionxform = str  # type: ignore[assignment,method-assign]  # as the library's manual has it
    try:
        parser.read_string(text)
    except (configparser.Error, ValueError):
        return None
    if len(parser.sections()) * len(parser.defaults()) > MOST_DEFAULTS:
        return None
    sections = {section: dict(parser.items(section)) for section in parser.sections()}
    sections.update({configparser.DEFAULTSECT: dict(parser.defaults())} if parser.defaults() else {})
    nested = any(key.startswith("@") for section in sections.values() for key in section)
    lines = lines_of(text)
    for section in sections:
        for key in parser.defaults():
            lines.setdefault(f"{section}.{key}", lines.get(f"{configparser.DEFAULTSECT}.{key}", 1))
    return from_plain(as_tree(sections) if nested else sections, path, lines)


def as_tree(sections: dict[str, dict[str, str]]) -> dict[str, object]:
    """Read sections as spaCy writes them: `[a.b]` stands in `a`, and values are JSON."""
    tree: dict[str, object] = {}
    for name, items in sections.items():
        place = tree
        for part in name.split(".")[:DEEPEST]:
            inner = place.setdefault(part, {})
            if not isinstance(inner, dict):
                break
            place = inner
        else:
            place.update({key: json_or_text(text) for key, text in items.items()})
    return tree


def json_or_text(text: str | None) -> object:
    """Read a value as JSON where it is some."""
    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return text


LONGEST_NAME = 300
"""A table's name stands in front of each of its keys: of a longer one no lines are found, nor of what is in it."""


def lines_of(text: str) -> dict[str, int]:
    """Find the line of each dotted key in TOML or INI text."""
    table = ""
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        head = TABLE.match(line)
        if head and "=" not in line.partition("]")[0]:
            table = head.group(1).strip("[] \"'") + "."
            found.setdefault(table.rstrip("."), number)
        elif len(table) <= LONGEST_NAME and (key := KEY.match(line)):
            found.setdefault(table + key.group(1), number)
            found.setdefault(table + key.group(1).lower(), number)
    return found


NOWHERE = "\n"
"""The beginning of a name that stands in no line."""


def from_plain(data: object, path: str, lines: dict[str, int], prefix: str = "", depth: int = 0) -> Value:
    """Turn plain data into values."""
    spot = (SourceLocation(path, lines.get(prefix, 1)),)
    if depth > DEEPEST:
        return Value(None, spot)
    if isinstance(data, dict):
        dot = f"{prefix}." if prefix else ""
        dot = dot if len(dot) <= LONGEST_NAME else NOWHERE
        items = {
            encodable(str(key)): from_plain(item, path, lines, f"{dot}{key}", depth + 1) for key, item in data.items()
        }
        return Value(Config(items), spot)
    if isinstance(data, list):
        return Value([from_plain(item, path, lines, prefix, depth + 1) for item in data], spot)
    return Value(data if isinstance(data, (int, float, bool, type(None))) else encodable(str(data)), spot)
