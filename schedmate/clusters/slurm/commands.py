"""Run Slurm's commands: bounded in time and output, where nobody's settings change what they print."""

import os
import secrets
import selectors
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from schedmate.clusters.managed import Denied, Refused, Unreachable
from schedmate.tools.shortening import short

LIMIT_S = 20.0
"""Time that one command has; slurmctld answers within a second unless it is in trouble."""
MOST_BYTES = 256 << 20
ASK_LOG = "slurmctld's log says why"
NO_CLUSTER = "run on a host of the cluster, or let SLURM_CONF name its slurm.conf"

KEPT = ("PATH", "HOME", "USER", "LOGNAME", "SLURM_CONF", "TZ", "XDG_RUNTIME_DIR")
"""All else might change what is printed: SQUEUE_STATES, SACCT_FORMAT, SLURM_CLUSTERS and their like."""
CUT = "\x1f"
"""Stands between the fields of a row that was read; in what was read it is a space."""
OUT_OF_REACH = (
    "unable to contact", "timed out", "connection refused", "connect failure", "zero bytes", "communication connection",
    "could not establish", "unable to resolve", "problem talking to the database", "sending persistinit",
    "in standby mode", "slurmctld is busy", "temporarily", "connection reset", "dns srv lookup failed",
    "authentication error", "munge", "no error", "only if the database is up",
)  # fmt: skip
"""What Slurm says, in any version, where it is not the question that is wrong."""
DENIED = ("invalid user id", "access/permission denied", "access denied", "permission denied")
"""What it says to those who may not do what they asked for."""
RIGHTS = "docs/slurm.md lists which right each thing needs"


class Commands:
    """All that is asked of Slurm goes through here; `asked` counts it."""

    def __init__(self, limit_s: float = LIMIT_S, most_bytes: int = MOST_BYTES) -> None:
        self.limit_s = limit_s
        self.most_bytes = most_bytes
        self.asked = 0
        self.environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        self.environment |= {"LC_ALL": "C", "SLURM_TIME_FORMAT": "%s"}

    def run(self, *words: str, told: bytes = b"") -> str:
        """Run a command and give what it printed; Unreachable where asking again may help, else Refused."""
        self.asked += 1
        try:
            code, out, err = bounded([*words], told, self.environment, self.limit_s, self.most_bytes)
        except FileNotFoundError as error:
            raise Denied(f"there is no program {words[0]}", "run on a host that has Slurm's commands") from error
        except TimeoutError as error:
            raise Unreachable(
                f"{words[0]} has not answered within {self.limit_s:g} s", "see slurmctld's log"
            ) from error
        except OSError as error:
            raise Unreachable(f"{words[0]}: {error}", "try again") from error
        said = short(" ".join(err.decode(errors="replace").replace(f"{words[0]}: ", "").split()), 400)
        if code == 0:
            return out.decode(errors="replace")
        if code < 0 or any(words in said.lower() for words in OUT_OF_REACH):
            hint = NO_CLUSTER if "configuration source" in said else ASK_LOG
            raise Unreachable(f"{words[0]}: {said or f'ended by signal {-code}'}", hint)
        if any(words in said.lower() for words in DENIED):
            raise Denied(f"Slurm does not let this account do that ({words[0]}: {said}): {RIGHTS}", RIGHTS)
        raise Refused(f"{words[0]}: {said or f'exit {code}'}", RIGHTS)

    def table(self, program: str, fields: Sequence[str], *options: str, letters: bool = False) -> list[list[str]]:
        """Ask for records of these fields."""
        return [fields_of(row) for row in self.rows(program, fields, *options, letters=letters)]

    def rows(self, program: str, fields: Sequence[str], *options: str, letters: bool = False) -> list[str]:
        """Ask for rows of these fields; separators that nobody can guess keep a job's name from forging one."""
        token = secrets.token_hex(6)
        field, end = f"<{token}>", f"</{token}>"
        if letters:  # sacct's form: one separator, and a line's end after each record
            text = self.run(program, *options, "--parsable", f"--delimiter={field}", f"--format={','.join(fields)}")
            return rows_of_letters(text, field, len(fields), program)
        form = ",".join(f"{name}:{field}" for name in fields[:-1]) + f",{fields[-1]}:{end}"
        return rows_of(self.run(program, *options, f"--Format={form}"), field, end, len(fields), program)


@contextmanager
def only_over() -> Iterator[None]:
    """Pass over a job that Slurm changes no more; a missing right or program ends it, so that nothing is forgotten."""
    try:
        yield
    except Denied:
        raise
    except Refused:
        return


def rows_of(text: str, field: str, end: str, count: int, program: str) -> list[str]:
    """Cut a table apart into rows that read the same from one question to the next; what broke off is no table."""
    *whole, rest = text.replace(CUT, " ").replace(field, CUT).split(end)
    if rest.strip() or any(row.count(CUT) != count - 1 for row in whole):
        raise Unreachable(f"{program} broke off, or printed what is no table", "try again")
    return [row.removeprefix("\n") for row in whole]


def rows_of_letters(text: str, field: str, count: int, program: str) -> list[str]:
    """Cut sacct's table apart by counting fields: a line's end may be a job's own, which nobody can tell otherwise."""
    *values, rest = text.replace(CUT, " ").split(field)
    if rest.strip() or len(values) % count:
        raise Unreachable(f"{program} broke off, or printed what is no table", "try again")
    return [CUT.join(values[start : start + count]).removeprefix("\n") for start in range(0, len(values), count)]


def fields_of(row: str) -> list[str]:
    """Cut a row apart."""
    return [value.strip() for value in row.split(CUT)]


def bounded(
    command: Sequence[str], told: bytes, environment: dict[str, str], limit_s: float, most_bytes: int
) -> tuple[int, bytes, bytes]:
    """Run a command; TimeoutError where it takes longer, OSError where it prints more than anybody can use."""
    found = shutil.which(command[0], path=environment.get("PATH", os.defpath))
    if found is None:
        raise FileNotFoundError(command[0])
    process = subprocess.Popen(
        [found, *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        with selectors.DefaultSelector() as selector:
            return talk(process, told, selector, time.monotonic() + limit_s, most_bytes)
    finally:
        with suppress(OSError):
            os.killpg(process.pid, 9)
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def talk(
    process: "subprocess.Popen[bytes]", told: bytes, selector: selectors.BaseSelector, until_s: float, most_bytes: int
) -> tuple[int, bytes, bytes]:
    """Hand over what is to be read, and take what is printed, until both outputs are at their end."""
    assert process.stdin and process.stdout and process.stderr  # noqa: PT018
    heard: dict[int, list[bytes]] = {process.stdout.fileno(): [], process.stderr.fileno(): []}
    for pipe in heard:
        selector.register(pipe, selectors.EVENT_READ)
    rest, size = memoryview(told), 0
    os.set_blocking(process.stdin.fileno(), False)
    if told:
        selector.register(process.stdin.fileno(), selectors.EVENT_WRITE)
    else:
        process.stdin.close()
    while any(pipe in selector.get_map() for pipe in heard):
        left_s = until_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        for key, _ in selector.select(left_s):
            if key.fd in heard:
                data = os.read(key.fd, 1 << 18)
                size += len(data)
                heard[key.fd].append(data)
                if not data:
                    selector.unregister(key.fd)
                if size > most_bytes:
                    raise OSError(f"printed more than {most_bytes >> 20} MiB")
                continue
            rest = rest[written(key.fd, rest) :]
            if not rest:
                selector.unregister(key.fd)
                process.stdin.close()
    try:
        code = process.wait(max(0.1, until_s - time.monotonic()))
    except subprocess.TimeoutExpired as error:
        raise TimeoutError from error
    out, err = (b"".join(each) for each in heard.values())
    return code, out, err


def written(pipe: int, data: memoryview) -> int:
    """Write what fits; whoever reads no more has read enough."""
    try:
        return os.write(pipe, data)
    except BlockingIOError:
        return 0
    except OSError:
        return len(data)
