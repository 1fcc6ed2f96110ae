"""Writes the API down as OpenAPI 3.1, out of the table that also answers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schedmate.web.api_types import Question

REFERENCES = "#/components/schemas/{model}"


def describe(questions: "Sequence[Question]", root: str, version: str) -> dict[str, Any]:
    """Give the whole description."""
    from pydantic import TypeAdapter

    from schedmate.web.api_types import Failed

    schemas: dict[str, Any] = {}
    failed = schema_of(TypeAdapter(Failed), schemas)
    paths: dict[str, Any] = {}
    for one in questions:
        paths.setdefault(root + one.path, {})[one.method.lower()] = operation(
            one, schema_of(one.gives, schemas), failed
        )
    return {
        "openapi": "3.1.0",
        "info": {"title": "SchedMate", "version": version, "description": "What SchedMate reads, over HTTP."},
        "security": [{"token": []}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def schema_of(adapter: Any, schemas: dict[str, Any]) -> dict[str, Any]:  # Any: a TypeAdapter of whatever
    """Give a type's schema; the types below it go to the others."""
    schema: dict[str, Any] = adapter.json_schema(mode="serialization", ref_template=REFERENCES)
    schemas.update(schema.pop("$defs", {}))
    return schema


def operation(question: "Question", gives: dict[str, Any], failed: dict[str, Any]) -> dict[str, Any]:
    """Describe one question."""
    outside = [word for word in question.words if word.where != "body"]
    body = [word for word in question.words if word.where == "body"]
    told: dict[str, Any] = {
        "operationId": question.name,
        "summary": question.about,
        "parameters": [
            {"name": word.name, "in": word.where, "required": word.needed, "description": word.about,
             "schema": {"type": word.kind}}
            for word in outside
        ],
        "responses": {
            "200": {"description": "the answer", "content": {"application/json": {"schema": gives}}},
            "default": {"description": "why not", "content": {"application/json": {"schema": failed}}},
        },
    }  # fmt: skip
    if body:
        properties = {word.name: {"type": word.kind, "description": word.about} for word in body}
        needed = [word.name for word in body if word.needed]
        schema = {"type": "object", "properties": properties, "required": needed}
        told["requestBody"] = {"content": {"application/json": {"schema": schema}}, "required": bool(needed)}
    if question.uploads:
        schema = {"type": "string", "format": "binary"}
        told["requestBody"] = {"content": {"application/octet-stream": {"schema": schema}}, "required": True}
    return told
