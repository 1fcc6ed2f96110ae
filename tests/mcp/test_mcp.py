"""The server as assistants meet it: by the SDK's own client, over both transports, with good and hostile arguments."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from tests.cli.terminal import on_terminal
from tests.hostile_log import LOG, SECRET

TOOLS = {
    "diagnose_log", "track_log", "extract_repo", "advise", "find_similar_jobs", "list_jobs", "why_job",
    "failures_summary", "list_actions",
}  # fmt: skip


@pytest.fixture
def site(tmp_path):
    """A folder that may be read, one that may not, a store with a job."""
    logs, data = tmp_path / "logs", tmp_path / "data"
    logs.mkdir()
    (logs / "dead.log").write_text(LOG)
    (tmp_path / "private.log").write_text(LOG)
    (logs / "link.log").symlink_to(tmp_path / "private.log")
    (logs / "train.py").write_text("import torch\nopt = torch.optim.AdamW([], lr=3e-4)\n")
    store = LiveStore(data)
    store.submit(Submission(("train",), "/", {"HF_TOKEN": SECRET}, name="llm", user="ada"), "t", 1.0)
    store.close()
    return tmp_path


def server_of(site, *more):
    env = {**os.environ, "SCHEDMATE_DATA_DIR": str(site / "data")}
    words = ["-m", "schedmate", "mcp", "--root", str(site / "logs"), *more]
    return StdioServerParameters(command=sys.executable, args=words, env=env, cwd=str(site))


def asked(site, work, *more):
    """Run some calls in one session over stdin and stdout."""

    async def session():
        async with Client(server_of(site, *more), read_timeout_seconds=120) as client:
            return await work(client)

    return asyncio.run(session())


def text_of(result):
    return "\n".join(one.text for one in result.content)


def test_every_tool_answers_with_what_the_commands_answer(site):
    async def work(client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() == TOOLS
        assert all(tool.annotations.read_only_hint for tool in tools.values())
        assert all(tool.input_schema["additionalProperties"] is False for tool in tools.values())
        dead = (await client.call_tool("diagnose_log", {"path": "dead.log"})).structured_content
        assert (dead["failure_id"], dead["root_line"]) == ("python.index_error", 7)
        moving = (await client.call_tool("track_log", {"path": "dead.log"})).structured_content
        assert (moving["step"], moving["total_steps"]) == (2, 9)
        read = await client.call_tool("extract_repo", {"repo": ".", "command": "python train.py"})
        assert not read.is_error
        jobs = (await client.call_tool("list_jobs", {})).structured_content
        assert [job["name"] for job in jobs["jobs"]] == ["llm"]
        why = await client.call_tool("why_job", {"job": "1"})
        assert "job 1 (llm of ada" in why.structured_content["facts"][0]
        assert not (await client.call_tool("failures_summary", {})).is_error
        assert not (await client.call_tool("list_actions", {})).is_error
        tail = (await client.read_resource("schedmate://log/dead.log")).contents[0].text
        everything = json.dumps([dead, moving, jobs, why.structured_content]) + text_of(read) + tail
        assert SECRET not in everything
        assert "\x1b" not in tail
        assert "IndexError" in tail
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert len(prompts) == 3
        said = await client.get_prompt("explain_death", {"about": "dead.log"})
        assert "dead.log" in said.messages[0].content.text

    asked(site, work)


OUTSIDE = (
    "../private.log", "{site}/private.log", "link.log", "run", "linked", "run/rank0.log", "linked/private.log",
    "none.log", "", "a\0b", "/etc/passwd", "/proc/self/environ", "/dev/stdin", "-", "~/.bashrc", "file:///etc/passwd",
    "pipe", "dead.log\u202e", "..\\private.log", "%2e%2e/private.log",
)  # fmt: skip
"""Paths that may not be read, are no logs, or are not there."""
ODD = (
    ("why_job", {"job": "77"}),
    ("why_job", {"job": ""}),
    ("why_job", {"job": "-1"}),
    ("why_job", {"job": "1\0"}),
    ("why_job", {"job": "\u0661"}),
    ("why_job", {"job": "9" * 30}),
    ("why_job", {"job": "x" * 10_000}),
    ("why_job", {"job": 1}),
    ("list_actions", {"job": "77"}),
    ("list_actions", {"job": "'; DROP TABLE jobs"}),
    ("find_similar_jobs", {"repo": ".", "command": "python train.py"}),
    ("find_similar_jobs", {"repo": ".."}),
    ("advise", {"repo": "none"}),
    ("advise", {"repo": ".", "gpus": -1e300}),
    ("advise", {"repo": ".", "command": "x" * 1_000_000}),
    ("extract_repo", {"repo": "dead.log"}),
    ("extract_repo", {"repo": ".", "workdir": "../.."}),
    ("diagnose_log", {}),
    ("diagnose_log", {"path": None}),
    ("diagnose_log", {"path": ["dead.log"]}),
    ("diagnose_log", {"path": {"a": 1}}),
    ("diagnose_log", {"path": "x" * 1_000_000}),
    ("diagnose_log", {"path": "dead.log", "exited": "no such end"}),
    ("track_log", {"path": "."}),
    ("list_jobs", {"state": "nonsense"}),
    ("list_jobs", {"after": 10**30}),
    ("list_jobs", {"limit": -1}),
    ("failures_summary", {"since_hours": -5}),
    ("failures_summary", {"since_hours": "nan"}),
    ("propose_action", {"action": "cancel", "target": "1", "why": "it was not allowed"}),
    ("no_such_tool", {}),
    *(
        (name, words | {"engine": "built-in"})
        for name, words in {
            "diagnose_log": {"path": "dead.log"},
            "track_log": {"path": "dead.log"},
            "extract_repo": {"repo": "."},
            "advise": {"repo": "."},
            "find_similar_jobs": {"repo": "."},
        }.items()
    ),
)


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_what_fails_says_so_and_nothing_outside_is_read(site, transport):
    (site / "logs" / "run").mkdir()
    (site / "logs" / "run" / "rank0.log").symlink_to(site / "private.log")
    (site / "elsewhere").mkdir()
    (site / "elsewhere" / "private.log").write_text(LOG)
    (site / "logs" / "linked").symlink_to(site / "elsewhere")
    os.mkfifo(site / "logs" / "pipe")

    async def work(client):
        for path in OUTSIDE:
            answer = await client.call_tool("diagnose_log", {"path": path.format(site=site)})
            assert answer.is_error, path
            assert "schedmate diagnose" in text_of(answer)
            assert "IndexError" not in text_of(answer)
        for name, words in ODD:
            answer = await client.call_tool(name, words)
            assert answer.is_error, (name, str(words)[:80])
            assert 0 < len(text_of(answer)) < 3000
        for name in ("log/link.log", "diagnosis/run", "log/run/rank0.log"):
            with pytest.raises(MCPError, match="outside"):
                await client.read_resource(f"schedmate://{name}")
        for name in ("job/77", "job/", "diagnosis/none", "log/..%2Fprivate.log", "log/%00", "log//etc/passwd"):
            with pytest.raises(MCPError):
                await client.read_resource(f"schedmate://{name}")
        assert len((await client.call_tool("list_jobs", {})).structured_content["jobs"]) == 1, "it serves on"

    if transport == "stdio":
        asked(site, work)
        return
    with served(site) as (url, named):
        asyncio.run(over_http(url, named, work))


def test_code_outside_is_not_read_however_a_command_names_it(site):
    outside = site / "elsewhere"
    outside.mkdir()
    (outside / "secret.py").write_text(
        "import torch\nopt = torch.optim.SGD([], lr=0.123456)\nfor e in range(4242):\n  opt.step()\n"
    )
    (site / "logs" / "link.py").symlink_to(outside / "secret.py")
    (site / "logs" / "linked").symlink_to(outside)
    commands = (
        "python link.py",
        "python linked/secret.py",
        f"python {outside}/secret.py",
        "python ../elsewhere/secret.py",
    )
    commands += (
        "cd linked && python secret.py",
        f"cd {outside} && python secret.py",
        f"bash -c 'python {outside}/secret.py'",
    )

    async def work(client):
        for command in commands:
            told = text_of(await client.call_tool("extract_repo", {"repo": ".", "command": command}))
            assert "0.123456" not in told, command
            assert "4242" not in told, command

    asked(site, work)


@contextmanager
def served(site, *more):
    """Serve over HTTP: give the address and what names the token."""
    env = {**os.environ, "SCHEDMATE_DATA_DIR": str(site / "data")}
    port = free_port()
    command = [sys.executable, "-m", "schedmate", "mcp", "--root", str(site / "logs"), "--http", str(port), *more]
    server = subprocess.Popen(command, env=env, cwd=site, stderr=subprocess.PIPE, text=True)
    try:
        token = re.match(r"token: (\S+)", server.stderr.readline())[1]
        url = server.stderr.readline().strip()
        wait_for(port)
        yield url, {"Authorization": f"Bearer {token}"}
    finally:
        server.terminate()
        server.wait()
        server.stderr.close()


def test_over_http_only_those_with_the_token_are_heard(site):
    with served(site) as (url, named):
        assert httpx.post(url, json={}).status_code == 401
        assert httpx.post(url, json={}, headers={"Authorization": "Bearer x"}).status_code == 401
        assert httpx.post(url, json={}, headers={**named, "Host": "evil.example"}).status_code in {403, 421}

        async def work(client):
            return (await client.call_tool("diagnose_log", {"path": "dead.log"})).structured_content

        assert asyncio.run(over_http(url, named, work))["failure_id"] == "python.index_error"


async def over_http(url, headers, work):
    import httpx2

    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        return await work(client)


def free_port():
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(port):
    import socket
    import time

    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
            continue
        return


@pytest.mark.parametrize("words", [["--http", "0.0.0.0:8719"], ["--http", "noport"], ["--root", "/nonexistent"]])
def test_what_cannot_be_served_safely_is_refused(words, tmp_path):
    command = [sys.executable, "-m", "schedmate", "mcp", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_an_assistant_that_may_propose_does_nothing_until_a_person_says_so(site):
    async def work(client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() == TOOLS | {"propose_action"}
        assert not tools["propose_action"].annotations.read_only_hint
        wish = {"action": "cancel", "target": "1", "why": "it hangs since\x1b[31m noon"}
        assert (await client.call_tool("propose_action", wish)).structured_content["proposal"] == 1
        odd = [
            {"action": "submit"},
            {"action": ["cancel"]},
            {"action": None},
            {"target": " "},
            {"target": "77"},
            {"why": ""},
        ]
        odd += [
            {"target": "1\0"},
            {"target": "1" * 10_000},
            {"target": 1},
            {"why": "x" * 100_000},
            {"target": "1; reboot"},
        ]
        for changed in odd:
            assert (await client.call_tool("propose_action", wish | changed)).is_error, changed

    asked(site, work, "--allow-actions")
    env = {**os.environ, "SCHEDMATE_DATA_DIR": str(site / "data")}

    def said(*words):
        command = [sys.executable, "-m", "schedmate", *words]
        return subprocess.run(command, env=env, capture_output=True, text=True, cwd=site)

    listed = said("proposals", "list").stdout
    assert "cancel 1: it hangs since" in listed
    assert "\x1b" not in listed
    assert json.loads(said("jobs", "--json").stdout.splitlines()[0])["state"] == "pending"
    done = said("proposals", "approve", "1")
    assert (done.returncode, "job 1 will not run" in done.stdout) == (0, True), done.stderr
    again = said("proposals", "reject", "1")
    assert (again.returncode, "was approved by" in again.stderr) == (2, True)


def test_on_a_terminal_it_says_what_it_waits_for_and_ends_when_interrupted(tmp_path):
    code, shown = on_terminal(tmp_path, "mcp", "--root", tmp_path, until="Ctrl-C ends it")
    assert code == -signal.SIGINT, shown
