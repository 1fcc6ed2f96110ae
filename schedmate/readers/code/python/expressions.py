"""Follow expressions: each gives a known value with the places it came from, or says that it is unknown."""

import ast
from collections.abc import Callable
from typing import Any

from schedmate.readers.code.python.attributes import SIDES, get_attribute
from schedmate.readers.code.python.builtin_names import builtin
from schedmate.readers.code.python.builtins import formatting
from schedmate.readers.code.python.comprehensions import MOST_ITEMS, from_comprehension
from schedmate.readers.code.python.items import get_item, is_for_evaluation
from schedmate.readers.code.python.modules.modules import resolve
from schedmate.readers.code.python.modules.registries import complete_table, table_items
from schedmate.readers.code.python.operators import compare, negate, operate_in
from schedmate.readers.code.values.joining import join, truth
from schedmate.readers.code.values.objects import BoundMethod, Class, ExternalResult, Function, Instance, LibraryObject
from schedmate.readers.code.values.path_texts import OPEN_TEXT
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import LibraryMethod, Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import (
    Config,
    External,
    Items,
    SourceLocation,
    Unknown,
    Value,
    is_constant,
    is_unknown_by,
    join_spots,
    mapping_of,
    unknown,
)


def evaluate(run: Run, node: ast.expr, scope: Scope) -> Value:
    """Follow one expression."""
    run.step()
    way = WAYS.get(type(node))
    return way(run, node, scope) if way is not None else unknown("not followed")


def from_constant(run: Run, node: ast.Constant, scope: Scope) -> Value:
    return Value(node.value if node.value is not ... else None, (SourceLocation(scope.path, node.lineno),))


def from_name(run: Run, node: ast.Name, scope: Scope) -> Value:
    value = resolve(run, scope.find(node.id) or builtin(node.id, scope))
    if node.id not in run.counters and not is_schedule(scope.find("self")):
        run.saw(node.id, value)
    return value


def from_attribute(run: Run, node: ast.Attribute, scope: Scope) -> Value:
    owner = evaluate(run, node.value, scope)
    value = get_attribute(run, owner, node.attr, scope, node.lineno)
    counted = node.attr in run.counters and not isinstance(owner.data, Config)
    if not counted and not is_schedule(owner):
        run.saw(node.attr, value)
    return value


def is_schedule(owner: Value | None) -> bool:
    """Tell a schedule of the repository's own, whose steps and rates are those of one of its parts."""
    return owner is not None and isinstance(owner.data, Instance) and "schedul" in owner.data.cls.name.lower()


def from_subscript(run: Run, node: ast.Subscript, scope: Scope) -> Value:
    owner = evaluate(run, node.value, scope)
    if isinstance(node.slice, ast.Slice):
        return cut(run, owner, node.slice, scope)
    rows = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else None
    if isinstance(rows, ast.Constant) and rows.value is ...:
        rows = ast.Slice()
    if isinstance(rows, ast.Slice) and may_hold_samples(owner.data):
        part = cut(run, owner, rows, scope)
        whole = all(isinstance(one, ast.Slice) and one.lower is one.upper is None for one in node.slice.elts[1:])  # type: ignore[attr-defined]
        if not whole and isinstance(part.data, Unknown):
            part.data.why, part.data.reason = "samples of which some sides are taken", None
        return part
    key = evaluate(run, node.slice, scope)
    value = get_item(run, owner, key, scope)
    if isinstance(key.data, str) and (run.follows_use or not is_for_evaluation(node.value)):
        run.saw(key.data, value)
    return value


def may_hold_samples(data: object) -> bool:
    """Tell what may be data whose samples are counted: a library's object, a part of one, or what it keeps them in."""
    if isinstance(data, External):
        return data.owner is not None and data.name.rpartition(".")[2] in SIDES
    return isinstance(data, (ExternalResult, Unknown))


def cut(run: Run, owner: Value, node: ast.Slice, scope: Scope) -> Value:
    """Take a slice of a known sequence."""
    ends = [
        evaluate(run, end, scope) if end is not None else Value(None) for end in (node.lower, node.upper, node.step)
    ]
    if isinstance(owner.data, (list, tuple, str, range)) and all(
        isinstance(end.data, int) or end.data is None for end in ends
    ):
        try:
            piece = Value(owner.data[slice(*(end.data for end in ends))], owner.src)
        except ValueError:
            pass
        else:
            run.hand_growth_on(piece, owner)
            return piece
    if isinstance(owner.data, External) and owner.data.name.endswith(".shape") and ends[0].data == 1:
        sides = run.libraries.sides_in(owner.data.owner) if owner.data.owner is not None else None
        goes_on = ends[1].data is None or (type(ends[1].data) is int and ends[1].data > 1)
        if sides and ends[2].data is None and goes_on:
            return Value(sides[: ends[1].data - 1 if ends[1].data else None], sides[0].src)
    part = unknown(Reason.PART, owner)
    if ends[2].data is None and may_hold_samples(owner.data):
        whole = run.libraries.length_of(run, owner)
        by_label = isinstance(owner.data, External) and owner.data.name.endswith(".loc")  # its end is included
        known = all(end.data is None or (type(end.data) is int and not by_label) for end in ends)
        if whole and known:
            first, last, _ = slice(*(end.data for end in ends)).indices(whole.data)
            part.data.count = max(0, last - first)
    return part


def from_call(run: Run, node: ast.Call, scope: Scope) -> Value:
    args: list[Value] = []
    known_length = True
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            items = evaluate(run, arg.value, scope)
            if isinstance(items.data, (list, tuple)):
                args.extend(items.data)
                run.hand_growth_on(Value(args), items)
            else:
                known_length = False
                args.append(Value(Unknown("arguments that are not known", (items,))))
        else:
            args.append(evaluate(run, arg, scope))
    kwargs: dict[str, Value] = {}
    for keyword in node.keywords:
        value = evaluate(run, keyword.value, scope)
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
        elif isinstance(value.data, dict):
            kwargs.update({str(key): item for key, item in value.data.items()})
            if not run.has_known_length(value):
                kwargs["**"] = unknown("settings under names that are not known", value)
        else:
            kwargs["**"] = value
    callee = evaluate(run, node.func, scope)
    if isinstance(callee.data, (External, Unknown)):
        run.observer.calls_outside(run, node, SourceLocation(scope.path, node.lineno))
    if not known_length and isinstance(callee.data, Function):
        args = args[:-1] if len(args) == 1 else args
    return run.call(callee, args, kwargs, SourceLocation(scope.path, node.lineno), scope)


def from_binary(run: Run, node: ast.BinOp, scope: Scope) -> Value:
    left, right = evaluate(run, node.left, scope), evaluate(run, node.right, scope)
    made = operate_in(scope, node.op, left, right)
    run.hand_growth_on(made, left, right)
    return made


def from_unary(run: Run, node: ast.UnaryOp, scope: Scope) -> Value:
    value = evaluate(run, node.operand, scope)
    if isinstance(node.op, ast.Not):
        return negate(value)
    if isinstance(value.data, (int, float)):
        if isinstance(node.op, ast.USub):
            return Value(-value.data, value.src)
        if isinstance(node.op, ast.UAdd):
            return value
        if isinstance(value.data, int):
            return Value(~value.data, value.src)
    return unknown("made from what is not known", value)


def from_bool(run: Run, node: ast.BoolOp, scope: Scope) -> Value:
    stops_at = isinstance(node.op, ast.Or)
    open_value: Value | None = None
    value = Value(None)
    for part in node.values:
        value = evaluate(run, part, scope)
        known = truth(value)
        if known is stops_at:
            if open_value is None or (stops_at and is_unknown_by(open_value, Reason.TYPED)):
                return value
            return with_known_truth(open_value, value)
        if known is None:
            open_value = value if open_value is None else join(open_value, value)
    return value if open_value is None else unknown("depends on what is not known", open_value, value)


def with_known_truth(open_value: Value, value: Value) -> Value:
    """`unknown or True` is true whatever the unknown is, and `unknown and None` is not."""
    return value if isinstance(value.data, bool) or value.data is None else join(open_value, value)


def from_compare(run: Run, node: ast.Compare, scope: Scope) -> Value:
    left = evaluate(run, node.left, scope)
    results: list[bool | None] = []
    sources = [left]
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        named = isinstance(comparator, (ast.Attribute, ast.Tuple, ast.List))
        run.asking += named
        try:
            right = evaluate(run, comparator, scope)
        finally:
            run.asking -= named
        results.append(holds(run, right, left, op) if isinstance(op, (ast.In, ast.NotIn)) else compare(op, left, right))
        sources.append(right)
        left = right
    if False in results:
        return Value(False, join_spots(*sources))
    return unknown("compares what is not known", *sources) if None in results else Value(True, join_spots(*sources))


def holds(run: Run, holder: Value, item: Value, op: ast.cmpop) -> bool | None:
    """Tell how `item in holder` comes out: a registry may lack what it has not been given yet, an object may say."""
    own = holder.data.cls.find("__contains__") if isinstance(holder.data, Instance) else None
    if own is not None and isinstance(own.data, Function):
        known = truth(run.call(Value(BoundMethod(holder, own.data)), [item]))
        return known if known is None or isinstance(op, ast.In) else not known
    if isinstance(holder.data, dict) and is_constant(item) and item.data not in holder.data:
        complete_table(run, holder.data, item.data)
    return compare(op, item, holder)


def from_choice(run: Run, node: ast.IfExp, scope: Scope) -> Value:
    known = truth(evaluate(run, node.test, scope))
    if known is None:
        run.unsure += 1
        try:
            return join(evaluate(run, node.body, scope), evaluate(run, node.orelse, scope))
        finally:
            run.unsure -= 1
    return evaluate(run, node.body if known else node.orelse, scope)


def from_sequence(run: Run, node: ast.List | ast.Tuple | ast.Set, scope: Scope) -> Value:
    items: list[Value] = []
    opened: list[Value] = []
    for item in node.elts[:MOST_ITEMS]:
        if isinstance(item, ast.Starred):
            inner = evaluate(run, item.value, scope)
            opened.append(inner)
            items += list(inner.data) if isinstance(inner.data, (list, tuple)) else [unknown("items", inner)]
        else:
            items.append(evaluate(run, item, scope))
    made = Value(tuple(items) if isinstance(node, ast.Tuple) else items, (SourceLocation(scope.path, node.lineno),))
    run.hand_growth_on(made, *opened)
    return made


def from_dict(run: Run, node: ast.Dict, scope: Scope) -> Value:
    items, for_later = Items(), table_items(node, scope)
    for place, (key, value) in enumerate(zip(node.keys[:MOST_ITEMS], node.values[:MOST_ITEMS], strict=True)):
        item = for_later[place] if for_later else evaluate(run, value, scope)
        if key is None:
            items.update(mapping_of(item))
            continue
        known = evaluate(run, key, scope)
        if is_constant(known):
            items[known.data] = item
        elif isinstance(known.data, LibraryObject) and (own := known.data.filed_under()) is not None:
            items[own] = item
        elif isinstance(known.data, (External, Function, Class, LibraryMethod)):
            items[id(known.data)] = item
        elif len(node.keys) == 1:
            items[OPEN_TEXT] = item
            run.grown[id(items)] = items
    return Value(items, (SourceLocation(scope.path, node.lineno),))


def from_lambda(run: Run, node: ast.Lambda, scope: Scope) -> Value:
    defaults = [evaluate(run, default, scope) for default in node.args.defaults]
    return Value(Function("<lambda>", node, scope, defaults, {}), (SourceLocation(scope.path, node.lineno),))


def from_named(run: Run, node: ast.NamedExpr, scope: Scope) -> Value:
    value = evaluate(run, node.value, scope)
    run.journal.put(scope.home_of(node.target.id), node.target.id, value)
    return value


def from_yield(run: Run, node: ast.Yield | ast.YieldFrom, scope: Scope) -> Value:
    value = evaluate(run, node.value, scope) if node.value is not None else Value(None)
    if scope.yields is not None and len(scope.yields) < MOST_ITEMS:
        several = isinstance(node, ast.YieldFrom) and isinstance(value.data, (list, tuple))
        scope.yields += value.data if several else [value]
        scope.is_endless |= run.unsure + run.again > scope.unsure or (isinstance(node, ast.YieldFrom) and not several)
    return unknown("what the caller sends")


WAYS: dict[type[ast.expr], Callable[[Run, Any, Scope], Value]] = {  # Any: each takes its own kind of node
    ast.Constant: from_constant,
    ast.Name: from_name,
    ast.Attribute: from_attribute,
    ast.Subscript: from_subscript,
    ast.Call: from_call,
    ast.BinOp: from_binary,
    ast.UnaryOp: from_unary,
    ast.BoolOp: from_bool,
    ast.Compare: from_compare,
    ast.IfExp: from_choice,
    **dict.fromkeys((ast.List, ast.Tuple, ast.Set), from_sequence),
    ast.Dict: from_dict,
    ast.JoinedStr: lambda run, node, scope: formatting.from_formatted(run, node, scope, evaluate),
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp), from_comprehension),
    ast.Lambda: from_lambda,
    ast.NamedExpr: from_named,
    **dict.fromkeys((ast.Yield, ast.YieldFrom), from_yield),
    **dict.fromkeys(
        (ast.Await, ast.Starred, ast.FormattedValue), lambda run, node, scope: evaluate(run, node.value, scope)
    ),
}
