"""With what framework a job computes: the one that is called most, else one that is imported."""

from schedmate.knowledge.code_words import meanings, words
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.argument_words import word_text

BUILT_ON_TORCH = words("frameworks.built_on_torch")
ROOTS = meanings("frameworks.roots")
HELPERS = meanings("frameworks.helpers")

RUNNING = ("lightning", "pytorch_lightning", "detectron2")
"""Libraries of trainers that also lend their classes of networks to others' loops."""
LAUNCHING = ("Fabric", "LightningLite", "LightningCLI", "launch")
"""What else starts one."""


def called(view: View) -> None:
    """Take the framework that is called most of several side by side."""
    calls: dict[str, int] = {}
    for event in view.events:
        root = event.name.partition(".")[0]
        if ".tensorboard" in event.name or event.name.startswith("torch.utils.data"):
            continue
        for name, roots in ROOTS.items():
            if root in roots:
                calls[name] = calls.get(name, 0) + 1
    asked = named_by_command(view)
    if asked is not None and not any(trains_with(view, name) for name in calls):
        propose(view, asked)
    elif calls:
        propose(view, max(calls, key=lambda name: (trains_with(view, name), calls[name])))


def named_by_command(view: View) -> str | None:
    """Give the one of several imported frameworks that a word of the command names: `run.py torch -c a.yml`."""
    imported = {name: {name.lower(), *roots} for name, roots in ROOTS.items() if view.import_spot(*roots)}
    said = {word_text(word).lower() for word in view.launch.words[1:]}
    named = [name for name, names in imported.items() if not names.isdisjoint(said)]
    return named[0] if len(named) == 1 < len(imported) else None


def trains_with(view: View, name: str) -> bool:
    """Tell a framework whose own calls train from one that stands beside it, to load data."""
    own = ROOTS[name]
    return any(event.sure and event.name.partition(".")[0] in own for event in view.training)


def imported(view: View) -> None:
    """Take the first framework that the followed files import."""
    for name, roots in ROOTS.items():
        if view.imports.intersection(roots):
            propose(view, name)
            return


def built_on_torch(view: View) -> None:
    """Take PyTorch where libraries are imported that stand on it."""
    if view.imports.intersection(BUILT_ON_TORCH):
        propose(view, "PyTorch")


def propose(view: View, main: str) -> None:
    """Propose a framework, with the library in front by which the program uses it."""
    called = {event.name.partition(".")[0] for event in view.events}
    called -= {library for library in RUNNING if not (view.is_partial or runs(view, library))}
    found = [library for library in HELPERS if library in called or stands_first(view, library)]
    # What is only imported may be never used; of several that are used the table's order tells which stands in front.
    helper = HELPERS[min(found, key=lambda library: library not in called)] if found else None
    label = ", ".join(dict.fromkeys([helper, main] if helper else [main]))
    libraries = [library for library, name in HELPERS.items() if name == helper]
    view.keep("framework", label, view.import_spot(*libraries, *ROOTS[main]))


def runs(view: View, library: str) -> bool:
    """Tell a library whose trainer is made or called: of its parts, a network may be built for any loop."""
    events = view.of(f"{library}.")
    return any(event in view.training or "Trainer" in event.short or event.short in LAUNCHING for event in events)


def stands_first(view: View, library: str) -> bool:
    """Tell a library that the program itself imports from one that only a part which it may never use imports."""
    entry = view.program.entry
    spots = view.import_spot(library)
    return bool(spots) and (entry is None or spots[0].path == entry.path or view.is_partial)


RULES = (
    Rule(Subject.FRAMEWORK, "calls", called),
    Rule(Subject.FRAMEWORK, "imports", imported),
    Rule(Subject.FRAMEWORK, "imports of what builds on PyTorch", built_on_torch),
)
