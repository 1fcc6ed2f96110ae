"""`schedmate mcp`: let an assistant ask what SchedMate can read, over the Model Context Protocol."""

import os
import signal
import sys

import typer

from schedmate.cli.saying import say

LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def mcp(
    root: list[str] = typer.Option(["."], "--root", help="A folder that may be read; repeat it."),
    http: str = typer.Option(
        "", metavar="[HOST:]PORT", help="Serve over HTTP with a token, not over stdin and stdout."
    ),
    allow_actions: bool = typer.Option(
        False, "--allow-actions", help="Let it propose steps; a person approves them: schedmate proposals."
    ),
    insecure: bool = typer.Option(False, "--insecure", help="Listen for other machines without TLS."),
) -> None:
    """Serve diagnose, track, extract, advise and the jobs' store to an assistant; it reads, and changes nothing.

    With --allow-actions it may propose to cancel or release a job, or to drain or resume a node.

    Over HTTP the token is SCHEDMATE_MCP_TOKEN, or a new one that is printed at the start.

    Examples: schedmate mcp --root /data/logs; schedmate mcp --root /data/logs --root ~/code --http 8719
    """
    from schedmate.errors import InputError
    from schedmate.settings import get_settings

    try:
        from schedmate.mcp.server import build_server, serve_http
    except ModuleNotFoundError as error:
        raise InputError(f"the extra is missing ({error.name})", "pip install 'schedmate[mcp]'") from None
    from schedmate.mcp.tools import Tools
    from schedmate.tools.roots import Roots

    server = build_server(Tools(Roots(root), get_settings().data_dir, allow_actions))
    if not http:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the server's thread that reads hears of no exception
        if sys.stdin.isatty():
            say("waiting for an assistant's questions on standard input; Ctrl-C ends it", err=True)
        server.run("stdio")
        return
    host, _, port = http.rpartition(":")
    host = host or "127.0.0.1"
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise InputError(f"'{http}' names no port", "as in: --http 8719, or --http 127.0.0.1:8719")
    if host not in LOOPBACK and not insecure:
        raise InputError(
            f"{host} is reached by other machines, and this is no TLS", "put a proxy before it, or add --insecure"
        )
    token = os.environ.get("SCHEDMATE_MCP_TOKEN") or new_token()
    say(f"http://{host}:{port}/mcp", err=True)
    serve_http(server, host, int(port), token)


def new_token() -> str:
    """Make a token and print it once."""
    import secrets

    token = secrets.token_urlsafe(24)
    say(f"token: {token}", err=True)
    return token
