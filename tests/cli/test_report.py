"""`schedmate report` as its users start it: one page that needs nothing, figures that fit their schema."""

import json
import os
import random
import re
import subprocess
import sys
from html.parser import HTMLParser

from schedmate.answers import adapters

HEAD = "JobID|User|Partition|JobName|Submit|Start|End|ElapsedRaw|State|AllocTRES|NodeList|TimelimitRaw|WorkDir\n"


def run(*words, folder):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "SCHEDMATE_DATA_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", *map(str, words)], capture_output=True, text=True, env=environment
    )


def accounting(folder, jobs=600):
    draw, rows = random.Random(5), []
    for number in range(jobs):
        begin, ran, node = number * 600, draw.randrange(60, 20_000), draw.randrange(8)
        state = "NODE_FAIL" if node == 3 and draw.random() < 0.4 else draw.choice(("COMPLETED", "COMPLETED", "FAILED"))
        user = "<script>alert(1)</script>" if number % 9 == 0 else f"user{number % 9}"
        stamps = "|".join(f"{1_780_000_000 + begin + more}" for more in (0, 300, 300 + ran))
        rows.append(f"{number}|{user}|gpu|train{number % 5}|{stamps}|{ran}|{state}|mem=9G,gres/gpu=4|n{node}|600|/w\n")
    path = folder / "jobs.sacct"
    path.write_text(HEAD + "".join(rows))
    return path


class Tags(HTMLParser):
    """Notes what could reach out of a page, and whether tags are closed."""

    def __init__(self):
        super().__init__()
        self.seen, self.open = set(), []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        assert not {"src", "href", "onload", "onclick"} & {name for name, _ in attrs}
        if tag not in {"meta", "line", "circle", "rect"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in {"rect", "circle", "line"}:
            return
        while (last := self.open.pop()) in {"p", "li"} and last != tag:
            pass
        assert last == tag


def test_a_page_needs_nothing_beside_it_and_runs_nothing(tmp_path):
    path = accounting(tmp_path)
    done = run("report", "--jobs", path, "-o", tmp_path / "report.html", "--policy", "fifo,sjf", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"1 of 8 nodes fail more than chance\n  n3 ", done.stdout)
    page = (tmp_path / "report.html").read_text("utf-8")
    tags = Tags()
    tags.feed(page)
    assert not {"script", "link", "iframe", "img"} & tags.seen
    assert "&lt;script&gt;alert(1)" in page
    assert "http" not in page.replace("http-equiv", "")
    assert page.count("<svg") == 4
    assert "prefers-color-scheme:dark" in page


def test_the_figures_fit_their_schema(tmp_path):
    done = run("report", "--jobs", accounting(tmp_path), "--json", "--policy", "fifo,sjf", folder=tmp_path)
    told = adapters()["report"][1].validate_json(done.stdout)
    assert (told.jobs, told.days) == (600, told.days)
    assert {one.policy for one in told.what_if.policies} == {"fifo", "sjf"}
    assert told.what_if.windows >= 3
    assert told.limits.jobs == 600


def test_the_history_is_asked_where_nothing_is_named(tmp_path):
    run("history", "import", accounting(tmp_path, 50), folder=tmp_path)
    done = run("report", "--json", "--policy", "", folder=tmp_path)
    told = json.loads(done.stdout)
    assert (told["jobs"], told["sources"], told["what_if"]) == (50, ["the history"], None)


def test_what_cannot_be_reported_is_said(tmp_path):
    path = accounting(tmp_path, 5)
    for words, said in (
        (("report",), "nothing says where the report goes"),
        (("report", "-o", tmp_path / "x.pdf"), "no page"),
        (("report", "--json"), "no jobs to report on"),
        (("report", "--json", "--jobs", tmp_path / "absent"), "absent"),
        (("report", "--json", "--jobs", path, "--policy", "magic"), "no policy 'magic'"),
        (("report", "--json", tmp_path / "none-*.out"), "matches no log"),
    ):
        done = run(*words, folder=tmp_path)
        assert done.returncode == 2, (words, done.stderr)
        assert said in done.stderr
    assert "Traceback" not in done.stderr
