"""A level that a collector puts before a line says by which stream it came, not what it says."""

from schedmate import diagnose
from schedmate.readers.lines import clean


def test_steps_that_came_by_the_stream_of_errors_are_steps(tmp_path):
    path = tmp_path / "job.log"
    bars = [
        f"ERROR 2026-07-15T20:36:{second}.923195   3/9   2.57G   0.018:  {second}%|#| {second}/60 [00:{second}<01:03]"
        for second in range(10, 50, 2)
    ]
    path.write_text("\n".join(bars) + "\n")
    assert diagnose(path).category == "none"


def test_a_level_before_a_stamp_is_kept_as_a_fact():
    line = clean("[ERROR] 2026-09-13 22:18:26,678 error_handler: gave up")
    assert (line.text, line.level, line.clock) == ("error_handler: gave up", "ERROR", "epoch")
    assert clean("WARNING 2026-09-13 22:18:26,678 slow disk").level == "W"
    assert clean("ERROR 404 while reading").text == "ERROR 404 while reading"


def test_a_line_that_opens_a_block_gives_way_to_what_stands_in_it(tmp_path):
    path = tmp_path / "job.log"
    path.write_text(
        "[ERROR] 2026-09-13 22:18:26,678 error_handler: {\n"
        '  "message": {\n'
        '    "message": "RendezvousConnectionError: The connection to the C10d store has failed.",\n'
    )
    found = diagnose(path)
    assert (found.failure_id, found.root_line) == ("distributed.rendezvous_failed", 3)
