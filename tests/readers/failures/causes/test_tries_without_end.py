"""What was asked for in vain until the log ends was not got."""

from schedmate import diagnose

ASKED = (
    "'(ReadTimeoutError(\"HTTPSConnectionPool(host='hub.lab', port=443): Read timed out. (read timeout=10)\"), "
    "'(Request ID: {0})')' thrown while requesting HEAD https://hub.lab/nlp/small/resolve/main/config.json"
)
RESUMED = "Error while downloading from https://hub.lab/w.bin: HTTPSConnectionPool(host='c', port=1): Read timed out."


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_tries_up_to_the_end_are_an_outage(tmp_path):
    found = read(tmp_path, "reading the model's words", *(ASKED.format(number) for number in range(3)))
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", "other", 2)
    assert found.confidence < 0.8


def test_a_download_that_went_on_is_none(tmp_path):
    done = ["Trying to resume download...", "w.bin: 100%|####| 36M/36M [00:12<00:00]", "result written to out.csv"]
    assert read(tmp_path, RESUMED, *done).category == "none"
    assert read(tmp_path, ASKED.format(1), "Retrying in 1s [Retry 1/5].", *done[1:], "bye").category == "none"


def test_a_service_that_did_not_answer_at_once_behind_steps_ended_nothing(tmp_path):
    full = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"
    steps = [f"step {step} loss 2.{step:03d} lr 0.01" for step in range(1, 50)]
    assert read(tmp_path, full, *steps, ASKED.format(1)).category == "none"
    tries = [
        f"HTTPSConnectionPool(host='s.lab', port=443): Read timed out., retrying in {wait} s" for wait in (2, 4, 8)
    ]
    assert read(tmp_path, full, *steps, *tries).category == "infrastructure"
    assert read(tmp_path, "reading the model's words", ASKED.format(1)).root_line == 2
