"""`schedmate anonymize`: a log that can be shown to strangers."""

import sys
from pathlib import Path

import typer


def anonymize(
    path: str = typer.Argument(..., metavar="PATH", help="A log, packed or not, or - for standard input."),
    output: Path | None = typer.Option(None, "--output", "-o", help="Write here instead of to standard output."),
) -> None:
    """Replace users, hosts, paths, tokens and addresses, the same one always by the same name.

    What a diagnosis needs stays: errors, numbers, times, ranks and library paths.

    Examples: schedmate anonymize job.log -o shared.log; schedmate anonymize job.log.gz | schedmate diagnose -
    """
    from schedmate.cli.render import progress
    from schedmate.cli.saying import say
    from schedmate.errors import InputError
    from schedmate.readers.anonymizer import Anonymizer
    from schedmate.tools.logfile import open_log
    from schedmate.tools.output import whole
    from schedmate.tools.plain_text import plain_log

    with open_log(path) as log, progress(f"rewriting {path}", as_bytes=True) as advance:
        lines = Anonymizer().rewrite(log, advance)
        for remark in log.remarks:
            say(f"note: {remark}", err=True)
        if output is None:
            on_screen = sys.stdout.isatty()
            for text in lines:
                sys.stdout.write(plain_log(text) if on_screen else text)
            return
        if output.exists() and log.handle and output.samefile(path if path != "-" else output):
            raise InputError(f"{output} is the log itself", "write to another file")
        with whole(output) as handle:
            handle.writelines(lines)
