"""Schemas are written so that every decoder can hold a model to them."""

from typing import Literal

import pytest
from pydantic import BaseModel, Field

from schedmate.models.json_schema import decoding_schema, tool_schema


class Part(BaseModel):
    kind: Literal["gpu", "node"]
    title: str | None = Field(None, max_length=9, min_length=2)


class Whole(BaseModel):
    parts: list[Part] = Field(max_length=3)
    by_name: dict[str, Part] = {}
    count: int = 3
    free: str = Field("", pattern="^[a-z]*$", max_length=4)


def test_references_are_written_out_and_all_fields_required():
    schema = decoding_schema(Whole)
    part = schema["properties"]["parts"]["items"]
    assert schema["required"] == ["parts", "by_name", "count", "free"]
    assert part["required"] == ["kind", "title"]
    assert part["additionalProperties"] is False
    assert schema["properties"]["by_name"]["additionalProperties"] == part
    assert "$ref" not in str(schema)
    assert "$defs" not in schema


def test_a_field_that_is_called_like_a_word_of_the_schema_stays():
    assert "title" in decoding_schema(Part)["properties"]


def test_bounded_strings_get_a_pattern_unless_they_have_one():
    string, null = decoding_schema(Part)["properties"]["title"]["anyOf"]
    assert string == {"type": "string", "pattern": "^[^\\x00-\\x1f\\x7f]{2,9}$"}
    assert null == {"type": "null"}
    assert decoding_schema(Whole)["properties"]["free"]["pattern"] == "^[a-z]*$"


def test_a_tools_arguments_may_keep_their_defaults():
    assert tool_schema(Whole)["required"] == ["parts"]


def test_a_schema_without_end_is_refused():
    with pytest.raises(ValueError, match="refers to itself"):
        decoding_schema(Endless)


class Endless(BaseModel):
    inner: "Endless | None" = None
