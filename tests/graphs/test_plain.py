"""The plain walk obeys the same wiring as LangGraph."""

from typing import Literal, TypedDict

import pytest

from schedmate.graphs.plain import END, START, PlainGraph


class Count(TypedDict, total=False):
    number: int
    path: str


def double(state: Count) -> Count:
    return {"number": state["number"] * 2, "path": state["path"] + "d"}


def add_one(state: Count) -> Count:
    return {"number": state["number"] + 1, "path": state["path"] + "a"}


def large_enough(state: Count) -> Literal["double", "__end__"]:
    return END if state["number"] > 20 else "double"


def wire(graph):
    graph.add_node("double", double)
    graph.add_node("add_one", add_one)
    graph.add_edge(START, "double")
    graph.add_edge("double", "add_one")
    graph.add_conditional_edges("add_one", large_enough)


@pytest.mark.parametrize("number", [1, 5, 30])
def test_plain_and_langgraph_walk_alike(number):
    from langgraph.graph import StateGraph

    plain, real = PlainGraph(), StateGraph(Count)
    wire(plain)
    wire(real)
    start = {"number": number, "path": ""}
    assert plain.walk(start)[0] == real.compile().invoke(start)


def test_fan_out_is_refused():
    graph = PlainGraph()
    graph.add_edge(START, "double")
    with pytest.raises(ValueError, match="fan out"):
        graph.add_edge(START, "add_one")
