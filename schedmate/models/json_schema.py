"""JSON schemas as servers enforce them while decoding: all fields required, nothing extra, no references."""

import json
from typing import Any

from pydantic import BaseModel

DROPPED = frozenset({"title", "default", "examples", "$defs"})
"""Words that no decoder enforces and no model needs."""

BOUNDED = "^[^\\x00-\\x1f\\x7f]{{{low},{high}}}$"


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
        result["pattern"] = BOUNDED.format(low=result.pop("minLength", 0), high=result.pop("maxLength"))
    return result


def as_text(schema: dict[str, Any]) -> str:
    """Write a schema the same way each time, for prompts and for keys."""
    return json.dumps(schema, sort_keys=True, separators=(",", ":"))


def instruction(schema: dict[str, Any]) -> str:
    """Ask in words for what a server that cannot enforce a schema has to be asked for."""
    return f"Answer with one JSON object and nothing else. It must match this JSON schema:\n{as_text(schema)}"
