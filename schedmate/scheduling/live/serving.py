"""The loop as a process, the one of its store, until it is told to go; for want of files or memory it begins anew."""

import errno
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from schedmate.counts import how_many
from schedmate.errors import SchedMateError
from schedmate.history.intact import WAY_OUT, StoreChanged, doubt, is_damage, look_through
from schedmate.history.turn import Leaving, Superseded
from schedmate.scheduling.live.presence import LoopError, presence
from schedmate.scheduling.live.service import Service, ServiceOptions

SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC})
PAUSE_S = 1.0


def serve(options: ServiceOptions, say: Callable[[str], None]) -> None:
    """Run a loop in this process until `down`, SIGTERM or SIGINT.

    A store that is damaged or exchanged under it ends it; the process must then end without closing the store.
    """
    with presence(options.data_dir) as held:
        look_through(options.data_dir)
        options = replace(options, presence=held)
        told, service = "", Service(options, say)
        say(welcome(service))
        while short_of := serve_once(service, say):
            if short_of != told:
                say(f"{short_of}: beginning anew until it can go on; what was acknowledged is in the store")
            told = short_of
            service = made_again(options, say)


def serve_once(service: Service, say: Callable[[str], None]) -> str:
    """Let a loop run and put it away; say what it was short of where it did not end because it was told to."""
    before = {number: signal.signal(number, service.stop) for number in (signal.SIGTERM, signal.SIGINT)}
    is_whole = True
    try:
        service.run()
    except Superseded:
        raise LoopError(
            f"another loop has taken over {service.options.data_dir}: this one leaves, jobs go on",
            "its up.lock was removed while this loop was up, or the directory is used by two machines",
        ) from None
    except Leaving:
        say("going down although the store cannot be written: what was not written down was not done")
    except (SchedMateError, sqlite3.DatabaseError, OSError) as error:
        damage = damage_behind(service, error)
        is_whole = damage is None
        if damage is not None:
            raise given_up(service, damage) from error
        if not is_shortage(error):
            raise
        return f"{error}"
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if is_whole:
            put_away(service)
    return ""


def damage_behind(service: Service, error: Exception) -> Exception | None:
    """Tell whether a store that is damaged or gone is behind an error: one that lacks a job, say, or cannot be read."""
    if isinstance(error, StoreChanged) or is_damage(error):
        return error
    try:
        with suppress(OSError):  # a want of descriptors, say: nothing can be looked at now
            service.files.look()
    except StoreChanged as changed:
        return changed
    return None


def given_up(service: Service, error: Exception) -> StoreChanged:
    """Let go of all but the store: closing it would write what is left of a damaged log into it."""
    doubt(service.options.data_dir)
    with suppress(OSError, sqlite3.Error, SchedMateError, Leaving):
        service.close_helpers()
    return error if isinstance(error, StoreChanged) else StoreChanged(f"the store is damaged: {error}", WAY_OUT)


def put_away(service: Service) -> None:
    """Close what can be closed: a loop that leaves something behind is one that was killed, and that harms nothing."""
    try:
        service.close()
    except (OSError, Leaving, sqlite3.OperationalError) as error:
        if isinstance(error, OSError) and not is_shortage(error):
            raise


def made_again(options: ServiceOptions, say: Callable[[str], None]) -> Service:
    """Make the loop anew as soon as that can be done: it takes over what the last one left, as after a kill."""
    while True:
        time.sleep(PAUSE_S)
        try:
            return Service(options, say)
        except Exception as error:
            if not is_shortage(error.__cause__ or error):
                raise


def is_shortage(error: BaseException) -> bool:
    """Tell whether it will pass: no descriptors, no memory, no processes, no space."""
    if isinstance(error, sqlite3.OperationalError):
        return True
    return isinstance(error, OSError) and error.errno in SHORTAGES


def welcome(service: Service) -> str:
    """Say on what the loop is up."""
    options, nodes = service.options, [state.spec for state in service.cluster.states()]
    kinds = " and ".join(
        how_many(total, f"{kind} slot")
        for kind in dict.fromkeys(node.kind for node in nodes)
        for total in [sum(node.gpus for node in nodes if node.kind == kind)]
    )
    of = "" if service.cluster.can.here else f" of {options.cluster}"
    many = f"{how_many(len(nodes), 'node')}{of}" + (f", {kinds}" if kinds else "")
    return f"up on {options.data_dir}: {many}, policy {options.policy}, mode {options.mode}"
