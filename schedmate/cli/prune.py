"""`schedmate prune`: forget what is over."""

import time
from contextlib import closing
from pathlib import Path

import typer

from schedmate.cli.asking import shared_socket, show
from schedmate.cli.saying import say


def prune(
    rules: Path | None = typer.Option(None, "--rules", help="policy.toml; else the one in the data directory, if any."),
) -> None:
    """Remove what finished jobs left, as the keep table of policy.toml says: environments, then logs, then folders.

    A running loop does this once a day; this command asks it to do it now. The history and the audit trail stay.

    Example: schedmate prune
    """
    from schedmate.history.live import LiveStore
    from schedmate.scheduling.live.presence import is_up, presence
    from schedmate.scheduling.live.retention import Retention
    from schedmate.scheduling.recovery.owner_rules import FILE_NAME, read_rules
    from schedmate.settings import get_settings

    data_dir = get_settings().data_dir
    if shared_socket() is not None or is_up(data_dir):
        show("prune")
        return
    with presence(data_dir), closing(LiveStore(data_dir)) as store:
        keep = read_rules(rules or data_dir / FILE_NAME, required=rules is not None).keep
        retention = Retention(store, keep)
        while retention.step(time.time()):
            pass
        say(f"forgotten: {retention.words() or 'nothing'}")
