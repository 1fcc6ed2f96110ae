"""A site's own accounting: what runs, waits, or never ran is left out and told, whatever is done about bad rows."""

from schedmate.traces.reading import read_trace

HEADER = "JobID|Submit|Start|End|ElapsedRaw|State|AllocTRES|ReqTRES"
ROWS = (
    "1|2026-01-01T00:00:00|2026-01-01T00:01:00|2026-01-01T00:11:00|600|COMPLETED|gres/gpu=1|gres/gpu=1",
    "2|2026-01-01T00:00:00|2026-01-01T00:01:00|Unknown|600|RUNNING|gres/gpu=1|gres/gpu=1",
    "3|2026-01-01T00:00:00|Unknown|Unknown|0|PENDING||gres/gpu=4",
    "4|2026-01-01T00:00:00|None|2026-01-01T00:05:00|0|CANCELLED by 7||gres/gpu=4",
    "5|2026-01-01T00:00:00|2026-01-01T00:01:00|2026-01-01T00:02:00|60|CANCELLED by 7|gres/gpu=2|gres/gpu=2",
    "7|2026-01-01T00:00:00|None|2026-01-01T00:05:00|0|FAILED||gres/gpu=4",
    "6|2026-01-01T00:00:00|2026-01-01T00:01:00|Unknown|77|FAILED|gres/gpu=2|gres/gpu=2",
)


def test_what_runs_waits_or_never_ran_is_left_out_and_told(tmp_path):
    path = tmp_path / "sacct.txt"
    path.write_text("\n".join((HEADER, *ROWS)) + "\n")
    trace = read_trace(f"{path}:sacct")
    assert trace.job_id.tolist() == ["1", "5", "6"]
    assert trace.duration_s.tolist() == [600.0, 60.0, 77.0]
    assert [note for note in trace.notes if note.startswith("jobs left out")] == [
        "jobs left out that are pending: 1",
        "jobs left out that are running: 1",
        "jobs left out that ended without having run: 1",
        "jobs left out that were cancelled while they waited: 1",
    ]
