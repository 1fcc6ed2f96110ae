"""SchedMate's graphs as nodes of your own: `python examples/graphs/part_of_yours.py JOB.log`."""

import sys
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from schedmate.graphs.diagnose import build_diagnose_graph
from schedmate.graphs.track import build_track_graph


class Ticket(TypedDict, total=False):
    """What your graph knows: fields that are named as SchedMate's inputs and outputs need no glue."""

    path: str
    metrics: dict[str, Any]
    diagnosis: dict[str, Any]
    answer: str


def reply(state: Ticket) -> Ticket:
    """Your own node: tell the user in one sentence."""
    why, reached = state["diagnosis"], state["metrics"]["step"]
    after = f"after step {reached}" if reached is not None else "before its first step"
    return {"answer": f"it died {after} of {why['failure_id']} (line {why['root_line']}): {why['actions'][0]['kind']}"}


def build() -> Any:
    """Wire two of SchedMate's graphs in front of your node."""
    graph: Any = StateGraph(Ticket)
    graph.add_node("track", build_track_graph())
    graph.add_node("diagnose", build_diagnose_graph())
    graph.add_node("reply", reply)
    for start, end in ((START, "track"), ("track", "diagnose"), ("diagnose", "reply"), ("reply", END)):
        graph.add_edge(start, end)
    return graph.compile()


if __name__ == "__main__":
    log = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / "logs" / "user_bug.log"
    print(build().invoke({"path": str(log)})["answer"])
