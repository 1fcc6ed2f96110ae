"""Who may look, who may act, and what cannot be done through a page by anybody."""

import os
import random
import re
import socket

import pytest
from starlette.routing import Route

from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.web import pages
from schedmate.web.people import IDLE_S, MOST_SESSIONS, People, Person
from tests.web.web_process import TOKENS

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    "gnp.\u202eexe\u202c",
    "\x1b]0;owned\x07\x1b[31mred",
    "javascript:alert(1)//",
    "x" * 100_000,
    "a\u0000b\ud7ff\ufeff",
)
PAGES = (
    "/",
    "/jobs",
    "/failures",
    "/actions",
    "/nodes?text=%3Cscript%3E&state=%22%3E",
    "/jobs?text=%3Cscript%3E&user=%22%3E&state=running&page=99999999999",
)
HARMFUL = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f\ufeff]")


@pytest.fixture
def store(tmp_path):
    made = LiveStore(tmp_path / "data")
    for place, name in enumerate(HOSTILE):
        made.submit(
            Submission(("train", name), "/", {"TOKEN": "hf_secret"}, name=name, user=name[:60]), str(place), 1.0
        )
        made.update(place + 1, reason=name, state="held" if place % 2 else "pending")
        action = made.add_action(place + 1, 1, 0, "isolate", name[:200], name, "suggest")
        made.note_action(action, "proposed", name)
    yield made
    made.close()


def csrf_of(text):
    return re.search(r'name="csrf" value="([^"]+)"', text)[1]


def test_who_has_no_token_sees_nothing(make_web, store):
    web = make_web()
    strangers = (web.stranger(), web.stranger(Cookie=f"schedmate_{web.port}=x"), web.stranger(Authorization="Bearer x"))
    for path in (*PAGES, "/events", "/?token=wrong", "/?token=" + "x" * 3000):
        for client in strangers:
            answer = client.get(path)
            assert answer.status_code == 401, path
            assert "onerror" not in answer.text
            assert "job" not in answer.text
    assert web.stranger().get("/static/site.css").status_code == 200
    assert web.stranger().get("/static/../pages.py").status_code in (401, 404)


def test_a_token_becomes_a_cookie_that_scripts_and_other_sites_do_not_get(make_web, store):
    web = make_web()
    answer = web.stranger().get(f"/?token={TOKENS['viewer']}")
    cookie = answer.headers["set-cookie"]
    assert answer.headers["location"] == "/"
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert TOKENS["viewer"] not in cookie
    visitor = web.visitor("viewer")
    page = visitor.get("/")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"
    assert visitor.post("/sign-out", data={"csrf": csrf_of(page.text)}).status_code == 303
    assert visitor.get("/").status_code == 401, "who signed out has a cookie that is worth nothing"


def test_another_name_and_another_site_are_refused(make_web, store):
    web = make_web(None, "--allow-actions")
    program = web.program()
    for host in ("evil.example.org", f"evil.example.org:{web.port}", "127.0.0.1", "", f"127.0.0.1:{web.port}.evil"):
        assert program.get("/", headers={"Host": host}).status_code in (400, 421), host
    for origin in ("http://evil.example.org", "null", f"http://127.0.0.1:{web.port + 1}"):
        assert program.post("/do/approve", data={"target": "1"}, headers={"Origin": origin}).status_code == 403
    assert program.post("/do/approve", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert program.ask("DELETE", "/jobs").status_code == 405
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as line:
        line.sendall(f"GET / HTTP/1.1\r\nHost: {web.host}\r\nHost: evil\r\n\r\n".encode())
        assert line.recv(100).split()[1] in (b"400", b"421")


def test_a_page_that_is_answered_with_a_form_to_sign_in_knows_its_browser(make_web, store):
    """Whoever is signed in and asks for the form finds his own word in it, and no mark of a kept page."""
    visitor = make_web().visitor("viewer")
    page = visitor.get("/sign-in").text
    assert csrf_of(page) == csrf_of(visitor.get("/").text)
    assert re.search(r'<p id="said"[^>]*></p>', page)


def test_every_form_wants_this_browsers_own_word(make_web, store):
    web = make_web(None, "--allow-actions")
    posts = {route.path for route in pages.ROUTES if isinstance(route, Route) and "POST" in route.methods}
    assert posts >= {"/do/{verb}", "/sign-out"}
    visitor, other = web.visitor(), web.visitor()
    word = csrf_of(visitor.get("/").text)
    assert word != csrf_of(other.get("/").text), "a page that is kept for all holds nobody's word"
    for path in posts - {"/sign-in"}:
        for sent in ({}, {"csrf": ""}, {"csrf": "x"}, {"csrf": csrf_of(other.get("/").text)}):
            answer = visitor.post(path.replace("{verb}", "cancel"), data={"target": "1", **sent})
            assert answer.status_code == 403, path
    assert store.requests() == []


def test_nothing_is_done_without_leave_to(make_web, store):
    looking = make_web()
    assert "Approve" not in looking.visitor("viewer").get("/").text
    answer = looking.program("viewer").post("/do/cancel", data={"target": "1"})
    assert answer.status_code == 403
    assert "--allow-actions" in answer.text
    assert looking.program("operator").get("/").status_code == 401, "without --allow-actions there is no operator"
    acting = make_web(None, "--allow-actions")
    assert acting.program("viewer").post("/do/cancel", data={"target": "1"}).status_code == 403
    assert "Approve" in acting.visitor("operator").get("/").text
    answer = acting.program("operator").post("/do/cancel", data={"target": "1"})
    assert answer.status_code == 409
    assert "no loop is up" in answer.text
    assert acting.program("operator").post("/do/format", data={"target": "1"}).status_code == 404
    assert store.requests() == []


def test_what_others_wrote_stays_text(make_web, store):
    web = make_web(None, "--allow-actions")
    program = web.program()
    for path in PAGES:
        answer = program.get(path)
        assert answer.status_code == 200, path
        assert "<script>alert" not in answer.text
        assert "<img src=x" not in answer.text
        assert not HARMFUL.search(answer.text), path
        assert "hf_secret" not in answer.text
        assert len(answer.content) < 400_000, "a text of any length takes a bounded part of a page"
    assert "{{ 7 * 7 }}" in program.get("/jobs").text
    assert "Traceback" not in web.said()


def test_too_much_is_refused(make_web, store):
    web = make_web(None, "--allow-actions")
    program = web.program()
    assert program.get("/jobs?text=" + "x" * 5000).status_code == 414
    assert program.post("/do/cancel", content=b"x" * 100_000).status_code == 413
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert program.post("/do/cancel", headers=form, content=(b"x" * 1000 for _ in range(100))).status_code == 413
    assert program.get("/", headers={"Cookie": "a=" + "b" * 30_000}).status_code in (400, 413, 431)
    assert program.get("/").status_code == 200
    assert "Traceback" not in web.said()


def test_odd_bytes_bring_no_fault_to_light(make_web, store):
    """A thousand requests of odd bytes, the same each time; `make test-web` sends more of them."""
    web = make_web(None, "--allow-actions")
    dice = random.Random(int(os.environ.get("ODD_SEED", "7")))
    heads = [b"GET ", b"POST ", b"HEAD ", b"\x00\xff", b"OPTIONS ", b"get ", b""]
    paths = [b"/", b"/jobs?page=", b"/do/", b"/%00%ff", b"/static/%2e%2e/", b"http://[", b"//x", b"*", b"/events?"]
    token = b"Authorization: Bearer " + TOKENS["operator"].encode()
    lines = [b"Host: " + web.host.encode(), token, b"Content-Length: -1", b"Content-Length: 5\r\nContent-Length: 6",
             b"Transfer-Encoding: chunked", b"Cookie: =;;=\xff", b"Expect: 100-continue", b"Range: bytes=0-0,-1",
             b"Content-Type: multipart/form-data; boundary=", b"Upgrade: websocket\r\nConnection: upgrade"]  # fmt: skip
    for _ in range(int(os.environ.get("ODD_REQUESTS", "1000"))):
        noise = dice.randbytes(dice.randrange(40))
        request = dice.choice(heads) + dice.choice(paths) + dice.choice([b"", noise]) + b" HTTP/1.1\r\n"
        chosen = dice.sample(lines, dice.randrange(6)) + [lines[0], token] * dice.randrange(2)
        request += b"\r\n".join([*chosen, b"Connection: close"]) + b"\r\n\r\n" + dice.choice([b"", noise])
        with socket.create_connection(("127.0.0.1", web.port), timeout=60) as line:
            line.sendall(request)
            line.shutdown(socket.SHUT_WR)
            answer = b""
            while not answer.startswith(b"HTTP/1.1 200") and (piece := line.recv(65536)):
                answer += piece
            assert b"Traceback" not in answer
            assert b" 500 " not in answer.split(b"\r\n")[0], (request, answer[:300])
    assert web.program().get("/").status_code == 200
    assert "Traceback" not in web.said(), web.said()[-3000:]


def test_sessions_are_bounded_and_end():
    now_s = [0.0]
    people = People([Person("ada", "viewer", "a" * 20)], lambda: now_s[0])
    assert people.holder("a" * 20).name == "ada"
    assert people.holder("a" * 19) is None
    assert people.holder("ä" * 20) is None
    first = people.begin(people.people[0])
    for _ in range(MOST_SESSIONS):
        last = people.begin(people.people[0])
    assert people.session(first) is None
    assert len(people.sessions) == MOST_SESSIONS
    now_s[0] = IDLE_S + 1
    assert people.session(last) is None
