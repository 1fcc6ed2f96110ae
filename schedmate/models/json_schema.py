"""JSON schemas as servers enforce them while decoding: all fields required, nothing extra, no references."""

import json
from typing import Any

from pydantic import BaseModel

DROPPED = frozenset({"title", "default", "examples", "$defs"})
"""Words that no decoder enforces and no model needs."""

LARGEST_INTEGER = 10**12
"""Any count, size in bytes of one device, or time in milliseconds that an answer may name."""

PLAIN = r'[^"\\\x00-\x1f\x7f]'
"""Neither quotes nor backslashes: outlines would write them into JSON unescaped, and xgrammar writes none here."""

LONGEST_REPEAT = 128
"""xgrammar 0.2.8 fails on a longer repeat with HTTP 500; several in a row are fine."""

LONGEST_PATTERN = 4 * LONGEST_REPEAT
"""A longer chain takes the decoder seconds to compile."""


def decoding_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Write a model's schema for a decoder: all fields required, so that a model cannot leave the hard ones out."""
    schema = model.model_json_schema()
    return tightened(schema, schema.get("$defs", {}), every_field=True)


def tool_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Write the schema of a tool's arguments; those with a default stay optional."""
    schema = model.model_json_schema()
    return tightened(schema, schema.get("$defs", {}), every_field=False)


def tightened(
    node: dict[str, Any], definitions: dict[str, Any], *, every_field: bool, inside: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Inline references, allow no further fields, and bound strings by a pattern; ValueError for a recursive model.

    `maxLength` alone lets a decoder emit raw control characters, which no JSON parser takes: a pattern forbids them.
    """
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        if name in inside:
            raise ValueError(f"{name} refers to itself: a model could go on for ever")
        return tightened(definitions[name], definitions, every_field=every_field, inside=(*inside, name))

    def within(part: Any) -> Any:
        return tightened(part, definitions, every_field=every_field, inside=inside) if isinstance(part, dict) else part

    result = {word: value for word, value in node.items() if word not in DROPPED}
    if "properties" in node:
        result["properties"] = {name: within(field) for name, field in node["properties"].items()}
        result["additionalProperties"] = False
        if every_field:
            result["required"] = list(node["properties"])
    elif "additionalProperties" in node:
        result["additionalProperties"] = within(node["additionalProperties"])
    for word in ("anyOf", "oneOf", "allOf", "prefixItems"):
        if word in node:
            result[word] = [within(part) for part in node[word]]
    if "items" in node:
        result["items"] = within(node["items"])
    if node.get("type") == "string" and "maxLength" in node and not {"pattern", "enum", "const", "format"} & set(node):
        bound_string(result)
    if node.get("type") == "integer" and not {"enum", "const"} & set(node):
        bound_integer(result)
    return result


def bound_string(node: dict[str, Any]) -> None:
    """Write a string's length as a pattern; a long one keeps its `maxLength`, which decoders take loosely but fast."""
    low, high = node.get("minLength", 0), node["maxLength"]
    if low > LONGEST_REPEAT or high > LONGEST_PATTERN:
        return
    first = min(high, LONGEST_REPEAT)
    rest = [min(LONGEST_REPEAT, high - start) for start in range(first, high, LONGEST_REPEAT)]
    node["pattern"] = f"^{PLAIN}{{{low},{first}}}" + "".join(f"{PLAIN}{{0,{length}}}" for length in rest) + "$"
    node.pop("minLength", None)
    node.pop("maxLength")


def bound_integer(node: dict[str, Any]) -> None:
    """Give an integer both its ends: a decoder holds a model to a range, and lets it write digits without end else."""
    if "exclusiveMinimum" not in node:
        node.setdefault("minimum", -LARGEST_INTEGER)
    if "exclusiveMaximum" not in node:
        node.setdefault("maximum", LARGEST_INTEGER)


def with_digits_bounded(node: Any) -> Any:
    """Say how long numbers may be in the words of outlines, which does not look at `minimum` and `maximum`."""
    if isinstance(node, list):
        return [with_digits_bounded(part) for part in node]
    if not isinstance(node, dict):
        return node
    result = {word: with_digits_bounded(part) for word, part in node.items()}
    if node.get("type") == "integer":
        ends = [abs(node.get(word, LARGEST_INTEGER)) for word in ("minimum", "maximum")]
        result["maxDigits"] = len(str(max(ends)))
    elif node.get("type") == "number":
        result |= {"maxDigitsInteger": 13, "maxDigitsFraction": 6, "maxDigitsExponent": 2}
    return result


def as_text(schema: dict[str, Any]) -> str:
    """Write a schema the same way each time, for prompts and for keys."""
    return json.dumps(schema, sort_keys=True, separators=(",", ":"))


def instruction(schema: dict[str, Any]) -> str:
    """Ask in words for what a server that cannot enforce a schema has to be asked for."""
    return f"Answer with one JSON object and nothing else. It must match this JSON schema:\n{as_text(schema)}"
