"""Schemas are written so that every decoder can hold a model to them."""

import re
from typing import Literal

import pytest
import re2
from pydantic import BaseModel, Field

from schedmate.models.json_schema import PLAIN, decoding_schema, tool_schema, with_digits_bounded


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
    assert string == {"type": "string", "pattern": f"^{PLAIN}{{2,9}}$"}
    assert null == {"type": "null"}
    assert decoding_schema(Whole)["properties"]["free"]["pattern"] == "^[a-z]*$"


@pytest.mark.parametrize(("length", "repeats"), [(5, 1), (128, 1), (129, 2), (512, 4)])
def test_long_strings_are_bounded_in_pieces_that_decoders_can_take(length, repeats):
    class Text(BaseModel):
        text: str = Field(max_length=length)

    pattern = decoding_schema(Text)["properties"]["text"]["pattern"]
    assert pattern.count(PLAIN) == repeats
    assert re2.search(pattern, "x" * length)
    assert not re2.search(pattern, "x" * (length + 1))
    assert max(map(int, re.findall(r",(\d+)}", pattern))) <= 128


def test_very_long_strings_keep_their_bound_as_it_is():
    class Text(BaseModel):
        text: str = Field(max_length=5000)

    assert decoding_schema(Text)["properties"]["text"] == {"type": "string", "maxLength": 5000}


def test_integers_get_both_ends_and_keep_their_own():
    class Numbers(BaseModel):
        free: int
        line: int = Field(ge=1)
        rank: int = Field(gt=0, lt=9)
        pick: Literal[1, 2]

    free, line, rank, pick = decoding_schema(Numbers)["properties"].values()
    assert free["minimum"] == -free["maximum"] < -(10**11)
    assert line["minimum"] == 1
    assert line["maximum"] == free["maximum"]
    assert "minimum" not in rank
    assert "minimum" not in pick
    assert with_digits_bounded([line, {"type": "number"}, "text"])[0]["maxDigits"] == 13


def test_a_tools_arguments_may_keep_their_defaults():
    assert tool_schema(Whole)["required"] == ["parts"]


def test_a_schema_without_end_is_refused():
    with pytest.raises(ValueError, match="refers to itself"):
        decoding_schema(Endless)


class Endless(BaseModel):
    inner: "Endless | None" = None
