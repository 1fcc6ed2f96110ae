"""The server as assistants meet it: by the SDK's own client, over both transports, with good and hostile arguments."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys

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


def test_what_fails_says_which_command_failed_and_reads_nothing_outside(site):
    async def work(client):
        for path in ("../private.log", str(site / "private.log"), "link.log", "none.log", "", "a\0b", "/etc/passwd"):
            answer = await client.call_tool("diagnose_log", {"path": path})
            assert answer.is_error, path
            assert "schedmate diagnose" in text_of(answer)
            assert "IndexError" not in text_of(answer)
        for name, words in (
            ("why_job", {"job": "77"}),
            ("why_job", {"job": "x" * 10_000}),
            ("list_actions", {"job": "'; DROP TABLE jobs"}),
            ("find_similar_jobs", {"repo": ".", "command": "python train.py"}),
            ("diagnose_log", {}),
            ("diagnose_log", {"path": ["dead.log"]}),
            ("list_jobs", {"state": "nonsense"}),
            ("no_such_tool", {}),
        ):
            answer = await client.call_tool(name, words)
            assert answer.is_error, name
        with pytest.raises(MCPError, match="outside"):
            await client.read_resource("schedmate://log/link.log")
        with pytest.raises(MCPError):  # the SDK itself lets no such path through
            await client.read_resource("schedmate://log/..%2Fprivate.log")

    asked(site, work)


def test_over_http_only_those_with_the_token_are_heard(site):
    env = {**os.environ, "SCHEDMATE_DATA_DIR": str(site / "data")}
    port = free_port()
    command = [sys.executable, "-m", "schedmate", "mcp", "--root", str(site / "logs"), "--http", str(port)]
    server = subprocess.Popen(command, env=env, cwd=site, stderr=subprocess.PIPE, text=True)
    try:
        token = re.match(r"token: (\S+)", server.stderr.readline())[1]
        url = server.stderr.readline().strip()
        wait_for(port)
        assert httpx.post(url, json={}).status_code == 401
        assert httpx.post(url, json={}, headers={"Authorization": "Bearer x"}).status_code == 401
        named = {"Authorization": f"Bearer {token}"}
        assert httpx.post(url, json={}, headers={**named, "Host": "evil.example"}).status_code in {403, 421}
        assert asyncio.run(diagnosed_over_http(url, named))["failure_id"] == "python.index_error"
    finally:
        server.terminate()
        server.wait()
        server.stderr.close()


async def diagnosed_over_http(url, headers):
    import httpx2

    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        return (await client.call_tool("diagnose_log", {"path": "dead.log"})).structured_content


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
        for odd in ({"action": "submit"}, {"target": " "}, {"why": ""}):
            assert (await client.call_tool("propose_action", wish | odd)).is_error

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
