"""The calls that make optimizers on the path, and the proposal of one by its name."""

from schedmate.knowledge.optimizers import canonical, is_library_optimizer
from schedmate.readers.code.evidence.probes import without_probes
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.value import External, SourceLocation, Value, held, is_unknown, ways_of


def optimizer_events(view: View) -> list[Event]:
    """Give the calls that make optimizers on the path, those first that something is trained with."""
    made = without_probes([event for event in view.events if is_library_optimizer(event.name)])
    used = {id(event.owner.data) for event in view.training if event.owner is not None}
    used |= {id(event.kwargs["optimizer"].data) for event in view.named("compile") if "optimizer" in event.kwargs}
    made.sort(key=lambda event: id(event.result.data) not in used)
    rivals: dict[SourceLocation, set[str]] = {}
    for event in made:
        rivals.setdefault(event.spot, set()).add(event.short)
    # One call that may make one of several classes, chosen from a table by what is not known, makes none for sure.
    found = [event for event in made if event.sure or len(rivals[event.spot]) == 1]
    return [] if are_alternatives(found) else found


def are_alternatives(made: list[Event]) -> bool:
    """Tell optimizers of several kinds that one function makes, each on a way of its own that may not be taken."""
    if any(event.sure for event in made) or len({event.short for event in made}) < 2:
        return False
    return len({event.functions[-1:] for event in made}) == 1


def keep_optimizer(view: View, named: Value | None) -> None:
    """Propose the optimizer that a text names, under its usual name where it is a known one."""
    text = held(named, str)
    kind = held(named, External)
    if named is not None and kind is not None:
        view.keep("optimizer", canonical(kind.name), named.src)
    if named is not None and text is not None:
        view.keep("optimizer", canonical(text) or text, named.src)
    if is_unknown(named) and named is not None:
        keep_agreed(view, ways_of(named))


def keep_agreed(view: View, ways: tuple[Value, ...]) -> None:
    """Propose the optimizer that all ways name: a copy of it, which mends one version, has a number behind its name."""
    texts = [text for way in ways if (text := held(way, str)) is not None]
    names = {canonical(text) or canonical(text.rstrip("0123456789")) for text in texts}
    if len(ways) == len(texts) > 1 and len(names) == 1:
        view.keep("optimizer", names.pop(), ways[0].src)
