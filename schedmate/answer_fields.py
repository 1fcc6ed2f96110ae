"""A JSON schema in short, a line a field: what a version of an answer promises, and what each field means."""

from typing import Any


def fields_of(schema: dict[str, Any]) -> dict[str, str]:
    """List every field of a schema by its path, with its type in short: what a version promises."""
    found: dict[str, str] = {}
    walk(schema, schema.get("$defs", {}), "", found, ())
    return dict(sorted(found.items()))


def meanings_of(schema: dict[str, Any]) -> dict[str, str]:
    """Give the description of every field that has one, by the same paths."""
    found: dict[str, str] = {}
    gather(schema, schema.get("$defs", {}), "", found, ())
    return found


def gather(part: Any, known: dict[str, Any], path: str, found: dict[str, str], above: tuple[str, ...]) -> None:
    """Note the descriptions below one part of a schema; a part that holds itself is gone through once."""
    if not isinstance(part, dict):
        return
    if name := part.get("$ref", "").rpartition("/")[2]:
        if name not in above:
            gather(known[name], known, path, found, (*above, name))
        return
    for one in (*part.get("anyOf", ()), *part.get("oneOf", ())):
        gather(one, known, path, found, above)
    for field, below in part.get("properties", {}).items():
        there = f"{path}.{field}" if path else field
        if told := below.get("description"):
            found.setdefault(there, told)
        gather(below, known, there, found, above)
    gather(part.get("items"), known, f"{path}[]", found, above)
    gather(part.get("additionalProperties"), known, f"{path}{{}}", found, above)


def walk(part: dict[str, Any], known: dict[str, Any], path: str, found: dict[str, str], above: tuple[str, ...]) -> str:
    """Go through one part of a schema, note the fields below it, and give its type in short."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return name if name in above else walk(known[name], known, path, found, (*above, name))
    if kinds := part.get("anyOf") or part.get("oneOf"):
        return " or ".join(sorted({walk(one, known, path, found, above) for one in kinds}))
    if "const" in part:
        return repr(part["const"])
    if "enum" in part:
        return " or ".join(map(str, part["enum"]))
    for name, below in part.get("properties", {}).items():
        field = f"{path}.{name}" if path else name
        found[field] = ""
        found[field] = walk(below, known, field, found, above)
    kind = str(part.get("type", "any"))
    if kind == "array":
        items = part.get("items") or {}
        return f"list of {walk(items, known, path + '[]', found, above)}" if items else "list"
    if kind == "object" and isinstance(part.get("additionalProperties"), dict):
        return f"{{name: {walk(part['additionalProperties'], known, path + '{}', found, above)}}}"
    return kind
