"""Follow comprehensions over known sequences."""

import ast

from schedmate.readers.code.python.assignments import assign
from schedmate.readers.code.python.attributes import members_of
from schedmate.readers.code.python.modules.named_files import lines_of
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.nested import made_again
from schedmate.readers.code.values.objects import FileHandle, GeneratedItems, Instance
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import SourceLocation, Value, is_constant, is_unknown_by, unknown

MOST_ITEMS = 512

MOST_STEPS = 1_000
"""What is spent on items that are all made in the same way, before the rest is taken to be like the last."""
MOST_INSIDE = 32
"""Items of a comprehension that another one goes through: tables of numbers are not worked out."""


def from_comprehension(
    run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope
) -> Value:
    inner = Scope(scope.module, {}, scope)
    inner.global_names, inner.tries = scope.global_names, scope.tries
    found: list[tuple[Value | None, Value]] = []
    complete = True
    sources: list[Value] = []

    def deeper(level: int) -> None:
        nonlocal complete
        if level == len(node.generators):
            if isinstance(node, ast.DictComp):
                found.append((run.evaluate(node.key, inner), run.evaluate(node.value, inner)))
            else:
                found.append((None, run.evaluate(node.elt, inner)))
            return
        generator = node.generators[level]
        items = run.evaluate(generator.iter, inner)
        sources.append(items)
        rounds = items_of(run, items, MOST_INSIDE if run.comprehending > 1 else MOST_ITEMS)
        if rounds is None:
            complete = False
            rounds = [item_of(items) or unknown("an item", items)]
        alike = level == 0 and isinstance(items.data, range) and depends_on_nothing(node)
        start = run.steps
        for item in rounds:
            if alike and found and run.steps - start > MOST_STEPS:
                key, last = found[-1]
                found.extend((key, made_again(last)) for _ in range(len(rounds) - len(found)))
                return
            if len(found) >= MOST_ITEMS:
                complete = False
                return
            assign(run, generator.target, item, inner)
            taken = [truth(run.evaluate(test, inner)) for test in generator.ifs]
            if False in taken:
                continue
            complete = complete and None not in taken
            deeper(level + 1)

    run.comprehending += 1
    try:
        deeper(0)
    finally:
        run.comprehending -= 1
    src = (SourceLocation(scope.path, node.lineno),)
    if not complete:
        return counted_list(run, node, sources[0], [value for _, value in found[:1]])
    if isinstance(node, ast.DictComp):
        return mapping_of_pairs(run, found, sources, src)
    given = [value for _, value in found]
    made = Value(GeneratedItems(given) if isinstance(node, ast.GeneratorExp) else given, src)
    run.hand_growth_on(made, *sources[:MOST_ITEMS])
    return made


def mapping_of_pairs(
    run: Run, pairs: list[tuple[Value | None, Value]], sources: list[Value], src: tuple[SourceLocation, ...]
) -> Value:
    """Make a mapping; of keys that are not known nobody can say how many they are."""
    known = {key.data: value for key, value in pairs if key is not None and is_constant(key)}
    made = Value(known, src)
    if not all(key is not None and is_constant(key) for key, _ in pairs):
        run.grown[id(known)] = known
    run.hand_growth_on(made, *sources[:MOST_ITEMS])
    return made


def counted_list(
    run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, source: Value, first: list[Value]
) -> Value:
    """Make a list of which not all items are known: as long as what it goes over, where nothing is left out."""
    made = unknown(Reason.UNCOUNTED_TABLE if isinstance(node, ast.DictComp) else Reason.UNCOUNTED, *first)
    whole = (
        len(node.generators) == 1 and not node.generators[0].ifs and isinstance(node, (ast.ListComp, ast.GeneratorExp))
    )
    counted = run.libraries.length_of(run, source) if whole else None
    if counted is not None:
        made.data.count, made.src = counted.data, counted.src
    return made


def item_of(items: Value) -> Value | None:
    """Give what stands for any object of a list that one expression made for what is not known."""
    return object_of(items) if is_unknown_by(items, Reason.UNCOUNTED) else None


def object_of(made: Value) -> Value | None:
    """Give what stands for any object of such a list or mapping."""
    if not (is_unknown_by(made, Reason.UNCOUNTED) or is_unknown_by(made, Reason.UNCOUNTED_TABLE)):
        return None
    return next((part for part in made.data.parts if isinstance(part.data, Instance)), None)


def depends_on_nothing(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> bool:
    """Tell `[sample() for _ in range(n)]`, whose items are all made in the same way."""
    first = node.generators[0]
    return len(node.generators) == 1 and not first.ifs and isinstance(first.target, ast.Name) and first.target.id == "_"


def items_of(run: Run, items: Value, most: int, most_named: int = MOST_ITEMS) -> list[Value] | None:
    """Give the items of a known iterable that is not too long; of names only the first."""
    data = items.data
    if (members := members_of(items)) is not None:
        return members[:most_named]
    if isinstance(data, range):
        return [Value(number, items.src) for number in data] if len(data) <= most else None
    if isinstance(data, dict):
        return [Value(key, items.src) for key in list(data)[:most_named]]
    if isinstance(data, FileHandle):
        return lines_of(run, data.path)
    if isinstance(data, (list, tuple)) and len(data) <= most:
        return list(data)
    return [Value(letter, items.src) for letter in data] if isinstance(data, str) and len(data) <= most_named else None
