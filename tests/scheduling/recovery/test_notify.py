"""Messages: words for people, and channels that really listen."""

import json
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from schedmate.scheduling.recovery.message import message
from schedmate.scheduling.recovery.notify import Notify, NotTold, address_of
from schedmate.scheduling.recovery.owner_rules import NotifyRules, PeopleRules, Rules
from schedmate.settings import get_settings
from schedmate.tools.messages import MailServer, send_mail
from tests.scheduling.recovery.cases import CASE, row
from tests.scheduling.recovery.mail_server import mail_server

SECRET = "T000B000XyZ"


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


class Ear(BaseHTTPRequestHandler):
    """A chat service that answers as its server says, or not at all."""

    def do_POST(self):
        self.server.heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        if self.server.status == 0:
            self.server.closing.wait()
            return
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *words):
        pass


@contextmanager
def listening(status=200):
    """Serve until the test is over; status 0 never answers."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Ear) as server:
        server.status, server.heard, server.closing = status, [], threading.Event()
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/{SECRET}", server.heard
        finally:
            server.closing.set()
            server.shutdown()
            thread.join()


def tell(to="operators", case=CASE, limit_s=120.0, **channels):
    return Notify().run(row("notify", to), case, Rules(notify=NotifyRules(limit_s=limit_s, **channels)))


def test_a_webhook_and_a_file_get_the_words(tmp_path):
    with listening() as (url, heard):
        assert tell(file=str(tmp_path / "told"), webhook=url) == "sent by console, file, webhook"
    assert heard[0]["text"].startswith("job 4 failed: gpu.xid_79\n")
    assert json.loads((tmp_path / "told").read_text())["to"] == "operators"


def test_a_mail_is_delivered_with_type_part_and_lines():
    with mail_server() as (server, address):
        assert tell(smtp=address, operators="ops@example.org") == "sent by console, smtp"
    ((sender, to, text),) = server.mails
    assert sender.startswith("mail FROM:<schedmate@localhost>")
    assert to == ["rcpt TO:<ops@example.org>"]
    head, _, body = text.partition("\r\n\r\n")
    assert "Subject: schedmate: job 4 failed: gpu.xid_79" in head
    for words in ("Error type: gpu.xid_79", "Faulty part: 0000:3b:00", "/x/log:7: node2 kernel: NVRM: Xid"):
        assert words in body


@pytest.mark.parametrize("length", range(60, 80))
def test_a_dot_where_a_mail_breaks_its_lines_arrives_once(length):
    text = f"{'x' * length}.log died"
    with mail_server() as (server, address):
        send_mail(MailServer(address), "ops@example.org", "schedmate", text, 60.0)
    assert server.mails[0][2].partition("\r\n\r\n")[2].strip() == text


def test_faults_of_the_job_go_to_its_owner():
    with mail_server() as (server, address):
        tell("owner", smtp=address, operators="ops@example.org")
    assert server.mails[0][1] == ["rcpt TO:<ada>"]


@pytest.mark.parametrize("user", ["ada, ops@example.org", "ada\nBcc: all@example.org", "", "-oQ/tmp", "ada <x@y>"])
def test_a_user_cannot_name_others_as_recipients(user):
    with mail_server() as (server, address):
        with pytest.raises(NotTold, match="smtp: the recipient is no address"):
            tell("owner", replace(CASE, user=user), smtp=address)
        assert server.mails == []


def test_a_refusal_is_told():
    with mail_server("refuses") as (server, address):
        with pytest.raises(NotTold, match="no such user here"):
            tell(smtp=address)
        assert server.mails == []


@pytest.mark.parametrize("manner", ["silent", "drips"])
def test_a_mail_server_without_end_is_given_up_and_the_others_are_served(manner, tmp_path):
    with (
        mail_server(manner) as (_, address),
        pytest.raises(NotTold, match=r"^smtp: .*(no answer within 3 s|timed out)$"),
    ):
        tell(limit_s=3.0, file=str(tmp_path / "told"), smtp=address)
    written = tmp_path / "told"
    until_s = time.monotonic() + 60
    while not (written.exists() and "gpu.xid_79" in written.read_text()):
        assert time.monotonic() < until_s, "another channel was kept waiting"
        time.sleep(0.01)


def test_a_webhook_that_never_answers_is_given_up():
    with listening(0) as (url, _), pytest.raises(NotTold, match=r"^webhook: .*(no answer within 1 s|timed out)$"):
        tell(limit_s=1.0, webhook=url)


def test_a_channel_that_fails_does_not_silence_the_others(tmp_path):
    with listening(500) as (url, _), pytest.raises(NotTold, match=r"^webhook: answered 500; smtp: .*refused"):
        tell(file=str(tmp_path / "told"), webhook=url, smtp="127.0.0.1:1")
    assert (tmp_path / "told").exists()


@pytest.mark.parametrize(
    "url", [f"http://127.0.0.1:1/{SECRET}", f"nonsense://{SECRET}", f"http://[{SECRET}", f"http://a:{SECRET}/"]
)
def test_what_a_webhooks_address_hides_is_never_told(url):
    with pytest.raises(NotTold) as told:
        tell(webhook=url)
    assert SECRET not in str(told.value) + told.value.message


def test_a_password_is_not_sent_in_the_clear(monkeypatch):
    monkeypatch.setenv("SCHEDMATE_SMTP_PASSWORD", SECRET)
    get_settings.cache_clear()
    with mail_server() as (server, address):
        with pytest.raises(NotTold, match="STARTTLS") as told:
            tell(smtp=address, smtp_user="ops")
        assert server.mails == []
    assert SECRET not in told.value.message


def test_mail_goes_to_the_address_that_the_site_maps_from_an_account():
    people = PeopleRules(mail={"ada": "a.lovelace@example.org"}, mail_domain="lab.example.org")
    assert address_of("ada", people) == "a.lovelace@example.org"
    assert address_of("bob", people) == "bob@lab.example.org"
    assert address_of("victim@elsewhere.org", people) == ""
    assert address_of("victim@elsewhere.org", PeopleRules()) == ""
    assert address_of("bob", PeopleRules()) == "bob"
