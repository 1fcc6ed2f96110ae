"""`schedmate history check|repair|backup`: the store's file itself."""

import sys
from contextlib import closing
from pathlib import Path

import typer

from schedmate.cli.saying import say


def check() -> None:
    """Check whether the store is damaged; changes nothing. The exit code is 1 if it is.

    Example: schedmate history check
    """
    from schedmate.clusters.run_folders import told_of, unknown_jobs
    from schedmate.history.live import LiveStore
    from schedmate.history.repairing import problems
    from schedmate.settings import get_settings

    data_dir = get_settings().data_dir
    found = problems(data_dir)
    for words in found:
        say(words)
    if found:
        say("hint: schedmate history repair saves what can be read, and keeps the damaged file", err=True)
        sys.exit(1)
    with closing(LiveStore(data_dir, only_look=True)) as store:
        known = {row.id for row in store.jobs()}
    say(f"the store in {data_dir} is whole")
    if lost := unknown_jobs(data_dir / "jobs", known):
        say(
            f"note: {told_of(lost)}: schedmate up takes them from there, and sets aside those of another store",
            err=True,
        )


def repair() -> None:
    """Save what can be read of a damaged store into a new one; the damaged file is kept, the loop must be down.

    What is lost of the loop's jobs is taken from the folders of their runs when it comes up again.

    Example: schedmate history repair
    """
    from schedmate.clusters.engines import identity_left
    from schedmate.history.repairing import repair as repaired
    from schedmate.scheduling.live.presence import presence
    from schedmate.settings import get_settings

    data_dir = get_settings().data_dir
    with presence(data_dir):
        done = repaired(data_dir, identity_left(data_dir))
    rows = ", ".join(f"{count} of {table}" for table, count in done.rows.items() if count and table != "identity")
    say(f"saved: {rows or 'nothing'}")
    if done.unread:
        say(f"not read to their end: {', '.join(dict.fromkeys(done.unread))}")
    say(f"the damaged file is {done.kept}")


def backup(target: Path = typer.Argument(..., metavar="FILE", help="A file that does not exist yet.")) -> None:
    """Copy the store to a file; the loop may be up.

    Example: schedmate history backup ~/schedmate-backup.sqlite3
    """
    from schedmate.history.repairing import back_up
    from schedmate.settings import get_settings

    back_up(get_settings().data_dir, target)
    say(f"copied to {target}")
