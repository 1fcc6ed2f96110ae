"""What people may do through a page: the requests that the commands write, with whose word it was, from where."""

import json
from contextlib import closing

from schedmate.errors import InputError
from schedmate.history.live import LiveStore
from schedmate.scheduling.live.loop_client import answer_to
from schedmate.scheduling.live.rights import THROUGH, Forbidden
from schedmate.scheduling.live.stores import OwnStore
from schedmate.tools.accounts import my_account
from schedmate.tools.plain_text import plain
from schedmate.web.people import Person
from schedmate.web.site import Site

ON_ACTIONS = ("approve", "reject", "undo")
ON_JOBS = ("cancel", "release")
ON_NODES = ("drain", "resume")
VERBS = (*ON_ACTIONS, *ON_JOBS, *ON_NODES, "reset-breaker")
MOST_LETTERS = 500


def actor_of(person: Person, address: str) -> str:
    """Say whose word it is: the account of this server, the token's name, and from where it came."""
    return f"{my_account()}{THROUGH}{person.name}, from {address})"


def may_act(site: Site, person: Person | None) -> bool:
    """Tell whether somebody may do anything here."""
    return site.acts and person is not None and person.role == "operator"


def act(site: Site, person: Person | None, address: str, verb: str, target: str, why: str = "") -> str:
    """Ask the loop to do something, and give its answer."""
    if not site.acts:
        raise Forbidden("nothing can be done through this server", "it was started without --allow-actions")
    if person is None or person.role != "operator":
        raise Forbidden("a viewer's token looks on and does nothing", "open the operator's address")
    if verb not in VERBS:
        raise InputError(f"'{plain(verb[:40])}' is nothing that can be done")
    with closing(OwnStore(site.data_dir)) as store:
        store.require_loop()
        number, argument = meant(store, verb, target, plain(why[:MOST_LETTERS]))
        request = store.ask(verb, number, argument, actor=actor_of(person, address))
        return answer_to(store, request).words


def meant(store: LiveStore, verb: str, target: str, why: str) -> tuple[int, str]:
    """Give the number and the words of a request."""
    if verb in ON_NODES:
        return 0, json.dumps({"node": target[:MOST_LETTERS]} | ({"why": why} if verb == "drain" else {}))
    if verb in ON_JOBS:
        return store.number_of(target), ""
    if verb == "reset-breaker":
        return 0, ""
    if not (target.isascii() and target.isdigit() and len(target) < 19):
        raise InputError(f"there is no action {plain(target[:40])}")
    return int(target), why if verb == "reject" else ""
