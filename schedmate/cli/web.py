"""`schedmate web`: pages to look at, an API to ask and figures for monitoring, over HTTP."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from schedmate.cli.saying import say

if TYPE_CHECKING:
    from schedmate.web.people import Person
    from schedmate.web.site import Site

PORT = 8720


def web(
    port: int = typer.Option(PORT, "--port", "-p", min=0, max=65535, help="Which port; 0: any that is free."),
    host: str = typer.Option("127.0.0.1", "--host", help="On which address; others than loopback only with TLS."),
    root: list[str] = typer.Option([], "--root", help="A folder whose logs and code may be read; repeat it."),
    allow_actions: bool = typer.Option(False, "--allow-actions", help="Let operators approve, cancel, drain, undo."),
    viewer: list[str] = typer.Option(["viewer"], "--viewer", metavar="NAME", help="Who may look; repeat it."),
    operator: list[str] = typer.Option(["operator"], "--operator", metavar="NAME", help="Who may act; repeat it."),
    name: list[str] = typer.Option([], "--name", help="Another name that it is called by, as a proxy's; repeat it."),
    certificate: Path | None = typer.Option(None, "--certificate", help="For TLS: the certificate's file."),
    key: Path | None = typer.Option(None, "--key", help="For TLS: the key's file."),
    insecure: bool = typer.Option(False, "--insecure", help="Listen for other machines without TLS."),
    dashboard: bool = typer.Option(False, "--dashboard", help="Print a dashboard for Grafana, and leave."),
    alerts: bool = typer.Option(False, "--alerts", help="Print alert rules for Prometheus, and leave."),
    with_input: bool = typer.Option(False, "--with-input", hidden=True, help="End when standard input does."),
) -> None:
    """Serve pages, /api/v1 and /metrics on the store, loop or no loop; nothing acts without --allow-actions.

    Each viewer and each operator gets a token, printed once as an address to open; SCHEDMATE_WEB_TOKEN_NAME sets one.

    Examples: schedmate web; schedmate web --root /data/logs --allow-actions;
    schedmate web --host 0.0.0.0 --certificate web.pem --key web.key --operator ada --operator bea
    """
    from schedmate.errors import InputError
    from schedmate.settings import get_settings

    if dashboard or alerts:
        from importlib.resources import files

        file = "dashboard.json" if dashboard else "alerts.yml"
        say(files("schedmate.web").joinpath("monitoring", file).read_text("utf-8").rstrip())
        return
    try:
        from schedmate.web.serving import serve
        from schedmate.web.site import LOOPBACK, Site
    except ModuleNotFoundError as error:
        raise InputError(f"the extra is missing ({error.name})", "pip install 'schedmate[web]'") from None
    from schedmate.tools.roots import Roots

    if host not in LOOPBACK and not (certificate or insecure):
        raise InputError(
            f"{host} is reached by other machines, and this is no TLS", "give --certificate and --key, or --insecure"
        )
    if bool(certificate) != bool(key):
        raise InputError("TLS wants both a certificate and its key", "give --certificate and --key")
    people = [*(person(one, "viewer") for one in viewer)]
    people += [person(one, "operator") for one in operator] if allow_actions else []
    roots = Roots(root) if root else None
    site = Site(get_settings().data_dir, people, host, port, roots, allow_actions, name, certificate, key)
    serve(site, announce, with_input)


def person(name: str, role: str) -> "Person":
    """Give somebody a token: the one that the environment names, or a new one."""
    from schedmate.errors import InputError
    from schedmate.web.people import Person, new_token

    if not (name.isprintable() and 0 < len(name) <= 64):
        raise InputError("a name has 1 to 64 letters", "as in: --operator ada")
    given = os.environ.get(f"SCHEDMATE_WEB_TOKEN_{name.upper()}", "")
    if given and len(given) < 16:
        raise InputError(f"the token of {name} is too short", "16 letters are the least")
    return Person(name, "operator" if role == "operator" else "viewer", given or new_token())


def announce(site: "Site") -> None:
    """Print each address once."""
    for one in site.people:
        say(f"{one.role} {one.name}: {site.address(one.token)}")
    if not site.acts:
        say("nothing can be done through it: --allow-actions lets operators act")
