"""The walk for one log, plainly and with LangGraph."""

import asyncio

from schedmate import track
from schedmate.graphs.track import build_track_graph
from schedmate.schemas import Metrics


def write(path, count=40):
    rows = [f"epoch: 1 - iter: {step}/200 - loss: {4 / step:.4f} - time per iter: 0.25s" for step in range(1, count)]
    path.write_text("\n".join(rows), "utf-8")
    return str(path)


def test_plain_walk_and_langgraph_agree(tmp_path):
    path = write(tmp_path / "job.log")
    final = asyncio.run(build_track_graph().ainvoke({"path": path}, context={"engine": "built-in"}))
    compiled = Metrics.model_validate(final["metrics"])
    plain = track(path, engine="built-in")
    assert plain.model_copy(update={"elapsed_s": 0}) == compiled.model_copy(update={"elapsed_s": 0})
    assert (plain.step, plain.total_steps, plain.step_time_s, plain.log) == (39, 200, 0.25, path)


def test_the_last_line_needs_no_end(tmp_path):
    assert track(write(tmp_path / "job.log", 12), engine="built-in").step == 11


def test_a_large_log_is_read_from_its_end(tmp_path):
    path = tmp_path / "large.log"
    with path.open("w", encoding="utf-8") as log:
        for step in range(1, 130_000):
            log.write(f"[12:00:00] step {step}/200000 loss {3.0:.4f} grad_norm 1.5 step_time 0.125s tokens/s 1000\n")
    metrics = track(path, engine="built-in")
    assert (metrics.step, metrics.step_time_s) == (129_999, 0.125)
    text = path.read_text("utf-8").splitlines()
    assert all(one.quote in text[one.line - 1] for one in metrics.evidence)


def test_the_drawing_shows_all_three_ways():
    drawn = build_track_graph().get_graph()
    edges = {(edge.source, edge.target) for edge in drawn.edges}
    assert {
        ("open_job_log", "read"),
        ("open_job_log", "filter_lines"),
        ("weigh", "show"),
        ("try_out", "write_pattern"),
    } <= edges
