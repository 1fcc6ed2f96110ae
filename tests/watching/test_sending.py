"""Who hears of what: each channel once, the right people, at the right time; deaths of one cause are one message."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from schedmate.errors import InputError
from schedmate.tools.messages import MailServer
from schedmate.watching.channels import read_channel, read_channels
from schedmate.watching.outbox import read_quiet_hours
from tests.scheduling.recovery.mail_server import mail_server
from tests.watching.conftest import stamp

XID = "kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python3, GPU has fallen off the bus.\n"
TRACEBACK = 'Traceback (most recent call last):\n  File "train.py", line 1, in <module>\n    x[3]\nIndexError: {}\n'


class Ear(BaseHTTPRequestHandler):
    """A chat service that answers as its server says."""

    def do_POST(self):
        self.server.heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *words):
        pass


@contextmanager
def listening():
    with ThreadingHTTPServer(("127.0.0.1", 0), Ear) as server:
        server.heard, server.status = [], 200
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server, f"http://127.0.0.1:{server.server_port}/T0SECRET"
        server.shutdown()


def restart(site, *channels, **options):
    site.stop()
    site.start(channels=tuple(map(read_channel, channels)), **options)


def die(site, name, words):
    site.write(name, f"{stamp(site.now_s)} step 1/100 loss 2.0\n{words}")


def test_fourteen_deaths_of_one_cause_are_one_message(site):
    with listening() as (server, url):
        restart(site, f"slack={url}")
        for number in range(14):
            die(site, f"job{number}.log", f"{stamp(site.now_s)} node7 {XID}")
        die(site, "other.log", TRACEBACK.format("list index out of range"))
        site.pass_by(60, every_s=2)
        site.sent()
        assert len(site.told) == 15
        texts = sorted((said["text"] for said in server.heard), key=len)
        assert len(texts) == 2
        assert texts[1].startswith("14 jobs: gpu.xid_79")
        assert texts[1].count(site.path("job")) >= 12
        assert "and 2 more" in texts[1]


def test_jobs_that_hang_at_once_are_one_message(site, tmp_path):
    site.stop()
    site.start(channels=(read_channel(f"file={tmp_path / 'sent'}"),))
    for step in range(1, 21):
        site.now_s += 10
        for job in range(5):
            site.write(f"{job}.log", f"step {step}/1000 loss {5 / step:.4f} step_time 10.0 s\n")
        site.look()
    site.pass_by(300)
    site.sent()
    assert site.kinds == ["stalled"] * 5
    [message] = [json.loads(line) for line in (tmp_path / "sent").read_text().splitlines()]
    assert message["text"].startswith("5 jobs hang")
    assert "py-spy dump" in message["text"]


def test_a_channel_that_fails_is_tried_again_also_by_the_next_watch(site):
    with listening() as (server, url):
        restart(site, f"webhook={url}")
        server.status = 500
        die(site, "a.log", TRACEBACK.format("x"))
        site.pass_by(40)
        site.sent()
        assert [*site.watch.outbox.failed.values()] == ["webhook: answered 500"]
        restart(site, f"webhook={url}")
        server.status = 200
        site.pass_by(70)
        site.sent()
        site.pass_by(200)
        site.sent()
    ids = [said["events"][0]["id"] for said in server.heard]
    assert len(set(ids)) == 1
    assert server.heard[-1]["events"][0]["kind"] == "died"
    assert not site.watch.outbox.failed


def test_a_user_hears_of_his_own_jobs_alone(site, tmp_path):
    mine, all_of_them = tmp_path / "mine", tmp_path / "all"
    die(site, "a.log", TRACEBACK.format("x"))
    restart(site, f"nobody-of-that-name:file={mine}", f"file={all_of_them}", since_s=600.0)
    site.pass_by(60)
    site.sent()
    assert not mine.exists()
    assert len(all_of_them.read_text().splitlines()) == 1


def test_quiet_hours_hold_messages_back_until_they_are_over(site, tmp_path):
    told = tmp_path / "told"
    from datetime import datetime, timedelta

    now = datetime.fromtimestamp(site.now_s)
    hours = f"{now - timedelta(hours=1):%H:%M}-{now + timedelta(hours=1):%H:%M}"
    restart(site, f"file={told}", quiet=read_quiet_hours(hours))
    die(site, "a.log", TRACEBACK.format("x"))
    site.pass_by(600)
    assert site.kinds == ["died"]
    assert not told.exists()
    site.pass_by(2 * 3600, every_s=300)
    site.sent()
    assert len(told.read_text().splitlines()) == 1


def test_mail_goes_to_the_one_who_is_named(site):
    with mail_server() as (server, address):
        restart(site, "mail=ops@example.org", mail=MailServer(address))
        die(site, "a.log", TRACEBACK.format("x"))
        site.pass_by(60)
        site.sent()
    _, to, body = server.mails[0]
    assert [line.upper() for line in to] == ["RCPT TO:<OPS@EXAMPLE.ORG>"]
    assert "a.log died: python.index_error" in body


def test_secrets_and_escapes_of_a_log_are_not_sent(site, tmp_path):
    told = tmp_path / "told"
    restart(site, f"file={told}")
    die(site, "a.log", TRACEBACK.format("\x1b[31m token=hf_abcdefghijklmnopqrstuvwxyz0123456789"))
    site.pass_by(60)
    site.sent()
    text = json.loads(told.read_text())["text"]
    assert "hf_abcdef" not in text
    assert "\x1b" not in text


@pytest.mark.parametrize("text", ["", "slack", "pigeon=x", "slack=ftp://x", "a b:mail", "mail=ada, bob"])
def test_what_is_no_channel_is_refused(text):
    with pytest.raises(InputError):
        read_channel(text)


@pytest.mark.parametrize("text", ["22", "22:00", "25:00-26:00", "a-b"])
def test_what_is_no_span_of_time_is_refused(text):
    with pytest.raises(InputError):
        read_quiet_hours(text)


def test_several_channels_may_stand_in_one_word():
    found = read_channels(
        ["slack=https://a.example.org/x,y,alice:mail=a@example.org,file=/tmp/a,b", "webhook=http://b/c"]
    )
    assert [(one.kind, one.to, one.user) for one in found] == [
        ("slack", "https://a.example.org/x,y", ""),
        ("mail", "a@example.org", "alice"),
        ("file", "/tmp/a,b", ""),
        ("webhook", "http://b/c", ""),
    ]
