"""Messages: words for people, and channels that really listen."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from schedmate.scheduling.live.reading import Apart
from schedmate.scheduling.recovery.message import message
from schedmate.scheduling.recovery.notify import Notify, NotTold
from schedmate.scheduling.recovery.rules import NotifyRules, Rules
from tests.scheduling.recovery.cases import CASE, row


def test_the_message_names_type_part_and_lines_and_is_harmless():
    subject, body = message(CASE)
    assert subject == "job 4 failed: gpu.xid_79"
    for words in (
        "Error type: gpu.xid_79 (infrastructure/gpu)",
        "Faulty part: 0000:3b:00",
        "/x/log:7: node2 kernel: NVRM",
    ):
        assert words in body
    assert "\x1b" not in body
    assert "pre  Bcc: all" in body


@contextmanager
def listening(status=200):
    heard = []

    class Ear(BaseHTTPRequestHandler):
        def do_POST(self):
            heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Ear)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hook", heard
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_webhook_and_a_file_get_the_words(tmp_path):
    with listening() as (url, heard):
        rules = Rules(notify=NotifyRules(file=str(tmp_path / "told"), webhook=url))
        assert Notify().run(row("notify", "operators"), CASE, Apart(rules)) == "told by console, file, webhook"
    assert heard[0]["text"].startswith("job 4 failed: gpu.xid_79\n")
    assert json.loads((tmp_path / "told").read_text())["to"] == "operators"


def test_a_channel_that_fails_does_not_silence_the_others(tmp_path):
    with listening(500) as (url, _):
        rules = Rules(notify=NotifyRules(file=str(tmp_path / "told"), webhook=url, smtp="127.0.0.1:1"))
        with pytest.raises(NotTold, match=r"webhook: .*500.*smtp: "):
            Notify().run(row("notify", "owner"), CASE, Apart(rules))
    assert (tmp_path / "told").exists()
