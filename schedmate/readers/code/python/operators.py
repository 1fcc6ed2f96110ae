"""Arithmetic and comparisons on known values, within bounds that a hostile program cannot widen."""

import ast
import operator
from collections.abc import Callable
from typing import Any

from schedmate.knowledge.code_words import words
from schedmate.readers.code.python.builtins.formatting import format_percent, gapped, shown
from schedmate.readers.code.python.builtins.known_sets import are_sets, combined
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.leaving import ProgramRaised
from schedmate.readers.code.values.objects import Class, ExternalResult, Function, Instance, LibraryObject
from schedmate.readers.code.values.path_texts import VARIABLE, may_be, open_path_of
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import LibraryMethod
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import (
    External,
    Unknown,
    Value,
    is_constant,
    is_unknown_by,
    join_spots,
    unknown,
)

LONGEST = 100_000
MOST_ITEMS = 4_096
LARGEST_INT = 1 << 128

OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {  # Any: Python's own rules decide
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitXor: operator.xor,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {  # Any: Python's own rules decide
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
}
TYPES = (Class, LibraryMethod)
UNION = "types.UnionType"
THINGS = (Instance, ExternalResult, Function, Class, External)

MAPPING_TYPE = "a mapping with attributes"
"""What stands for the type of such a mapping, since several libraries have one."""
MAPPING_TYPES = frozenset(words("classes.attribute_mappings"))
PATHS = frozenset({"Path", "PurePath", "PosixPath"})
OPPOSITES = {ast.IsNot: ast.Is(), ast.NotIn: ast.In(), ast.NotEq: ast.Eq()}


def operate(op: ast.operator, left: Value, right: Value) -> Value:
    """Apply a binary operator; unknown or unreasonable operands give an unknown result that remembers them."""
    a, b = left.data, right.data
    adds = isinstance(op, ast.Add)
    if adds and isinstance(a, (list, tuple)) and type(a) is type(b) and len(a) + len(b) <= MOST_ITEMS:
        return Value([*a, *b] if isinstance(a, list) else (*a, *b), join_spots(left, right))
    if isinstance(a, (list, tuple)) and isinstance(b, int) and isinstance(op, ast.Mult) and len(a) * b <= MOST_ITEMS:
        return Value(a * b, join_spots(left, right))
    held = of_containers(op, left, right)
    if held is not None:
        return held
    if isinstance(op, ast.Mod) and isinstance(a, str):
        return format_percent(left, right)
    if adds and str in (type(a), type(b)) and Unknown in (type(a), type(b)):
        return gapped(shown(left) + shown(right), left, right)
    if isinstance(op, ast.Div) and is_path(left, right):
        return join_path(left, right)
    if not (is_constant(left) and is_constant(right)) or not is_reasonable(op, a, b):
        divides = isinstance(op, (ast.Div, ast.FloorDiv)) and is_constant(left)
        if divides and not is_constant(right) and isinstance(a, float) and a == 0.0:
            return Value(0.0, join_spots(left))  # how far a run is at its first step, however long it may be
        reason = Reason.DIVIDED if divides else Reason.MULTIPLIED if isinstance(op, ast.Mult) else None
        reason = Reason.ADDED if adds and int in (type(a), type(b)) else reason
        return unknown(reason or "made from what is not known", left, right)
    try:
        result = OPERATORS[type(op)](a, b)
    except KeyError:
        return unknown("made from what is not known", left, right)
    except (TypeError, ValueError, ArithmeticError):
        return unknown(Reason.FAILS, left, right)
    if isinstance(result, complex) or (isinstance(result, int) and abs(result) > LARGEST_INT):
        return unknown("too large", left, right)
    return Value(result, join_spots(left, right))


def of_containers(op: ast.operator, left: Value, right: Value) -> Value | None:
    """Combine two sets, two mappings or two types, one of which may be None; nothing for anything else."""
    if are_sets(op, left, right):
        return combined(type(op), left, right)
    if isinstance(left.data, dict) and isinstance(right.data, dict) and isinstance(op, ast.BitOr):
        return Value({**left.data, **right.data}, join_spots(left, right))
    named = [one.data for one in (left, right) if one.data is not None]
    if isinstance(op, ast.BitOr) and named and all(isinstance(one, TYPES) for one in named):
        return Value(External(UNION), join_spots(left, right))
    return None


def operate_in(scope: Scope, op: ast.operator, left: Value, right: Value) -> Value:
    """Apply a binary operator where the program stands: one that fails raises if the program guards against it."""
    value = operate(op, left, right)
    if scope.tries and is_unknown_by(value, Reason.FAILS):
        raise ProgramRaised(value.data.why)
    return value


def is_path(left: Value, right: Value) -> bool:
    """Tell what stands before a path's stroke: a path, or what is not known and is divided by a text."""
    made = isinstance(left.data, ExternalResult) and left.data.short in PATHS
    return made or (isinstance(right.data, str) and not is_constant(left))


def join_path(left: Value, right: Value) -> Value:
    """Join a pathlib path and a part."""
    first = left.data.kwargs.get("text") if isinstance(left.data, ExternalResult) else None
    if isinstance(right.data, ExternalResult) and right.data.short in PATHS:
        right = right.data.kwargs.get("text") or right
    if first is not None and isinstance(right.data, str) and right.data.startswith("/"):
        return Value(ExternalResult(left.data.callee, [right], {"text": right}, left.data.spot), right.src)
    if first is None or not isinstance(right.data, str):
        return open_path_of(left, right)
    text = Value(f"{str(first.data).rstrip('/')}/{right.data}", join_spots(first, right))
    return Value(ExternalResult(left.data.callee, [text], {"text": text}, left.data.spot), text.src)


def is_reasonable(op: ast.operator, a: Any, b: Any) -> bool:  # Any: Python's own rules decide
    """Refuse what would take memory or time: huge powers, shifts and repetitions."""
    if isinstance(op, ast.Pow):
        return isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(b) <= 128 and abs(a) <= 1e9
    if isinstance(op, (ast.LShift, ast.RShift)):
        return isinstance(b, int) and 0 <= b <= 64
    if isinstance(op, ast.Add) and isinstance(a, (str, bytes)) and isinstance(b, (str, bytes)):
        return len(a) + len(b) <= LONGEST
    if isinstance(op, ast.Mult):
        for text, number in ((a, b), (b, a)):
            if isinstance(text, (str, bytes)) and isinstance(number, int):
                return len(text) * number <= LONGEST
    return True


def plain_name(thing: External) -> str:
    """Give a library's name for a thing, whichever generation of the library it is taken from."""
    return thing.name.replace(".compat.v1.", ".").replace(".compat.v2.", ".")


def compare(op: ast.cmpop, left: Value, right: Value) -> bool | None:
    """Compare; None when it is not known how it comes out."""
    if type(op) in OPPOSITES:
        answer = compare(OPPOSITES[type(op)], left, right)
        return answer if answer is None else not answer
    a, b, equals = left.data, right.data, isinstance(op, ast.Eq)
    if isinstance(op, (ast.Eq, ast.Is)) and isinstance(a, LibraryObject) and type(a) is type(b) and a.stands_for():
        return bool(a == b)
    if isinstance(op, ast.In):
        return contains(right, left)
    left, right = settled(left), settled(right)
    a, b = left.data, right.data
    if isinstance(op, ast.Is) or (equals and (a is None or b is None or isinstance(a, TYPES))):
        return identical(left, right)
    if equals and isinstance(a, External) and isinstance(b, External):
        return plain_name(a) == plain_name(b)
    if equals and isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return [i.data for i in a] == [i.data for i in b] if all(is_constant(item) for item in [*a, *b]) else None
    if equals and {type(a), type(b)} & {list, tuple, dict} and {type(a), type(b)} & {str}:
        return False
    if not (is_constant(left) and is_constant(right)):
        if isinstance(a, Unknown) and type(b) is int and (ends := ends_of_counter(a)) is not None:
            return beside(op, ends, b)
        differ = equals and isinstance(a, THINGS) and is_constant(right) and is_known(left)
        return False if differ else None
    if equals and isinstance(a, str) and isinstance(b, str) and a != b and may_be(a, b):
        return None
    try:
        return bool(COMPARISONS[type(op)](a, b))
    except (KeyError, TypeError):
        return None


def ends_of_counter(item: Unknown) -> tuple[int, int] | None:
    """Give between which numbers the counter of a loop over a known range lies in its later rounds."""
    numbers = item.parts[0].data if item.reason is Reason.LATER_ITEM and item.parts else None
    return (
        (min(numbers[0], numbers[-1]), max(numbers[0], numbers[-1])) if isinstance(numbers, range) and numbers else None
    )


def beside(op: ast.cmpop, ends: tuple[int, int], number: int) -> bool | None:
    """Compare a number that lies between two others; None where it may come out either way."""
    if isinstance(op, ast.Eq):
        return None if ends[0] <= number <= ends[1] else False
    test = COMPARISONS.get(type(op))
    answers = {test(end, number) for end in ends} if test is not None else set()
    return bool(answers.pop()) if len(answers) == 1 else None


def settled(value: Value) -> Value:
    """Give the plain value that a member of an enumeration stands for."""
    plain = value.data.stands_for() if isinstance(value.data, LibraryObject) else None
    return plain if plain is not None and is_constant(plain) else value


def is_known(value: Value) -> bool:
    """Tell a thing that certainly exists from what a library's function may or may not have given."""
    data = value.data
    if isinstance(data, External):
        return data.owner is None
    return not isinstance(data, ExternalResult) or data.is_object


def identical(left: Value, right: Value) -> bool | None:
    """Tell whether two values are the same object, as far as None, True, False and classes go."""
    a, b = left.data, right.data
    if is_constant(left) and is_constant(right):
        return bool(a is b or (type(a) is type(b) and a == b))
    if isinstance(a, TYPES) and isinstance(b, TYPES):
        return a is b
    if isinstance(a, External) and a.name == MAPPING_TYPE:
        return is_mapping_type(b)
    if isinstance(a, LibraryMethod) and is_mapping_type(b):
        return False
    if (isinstance(a, TYPES) and is_constant(right)) or (isinstance(b, TYPES) and is_constant(left)):
        return False
    known, other = (a, right) if is_constant(left) else (b, left)
    if known is None:
        if isinstance(other.data, Unknown):
            return None
        return False if is_known(other) else None
    return True if a is b else None


def is_mapping_type(data: object) -> bool | None:
    """Tell the type of mappings with attributes from others, by its name in whatever library it is taken from."""
    if isinstance(data, External):
        return True if data.name.rpartition(".")[2] in MAPPING_TYPES else None
    return False if isinstance(data, TYPES) else None


MOST_OPEN_KEYS = 500
"""How many keys a mapping has at most of which some may be open: a vocabulary's are what they are."""


def contains(holder: Value, item: Value) -> bool | None:
    """Tell whether something is in a container."""
    data = holder.data
    if hasattr(data, "contains"):
        answer = data.contains(item)
        return answer if answer is None else bool(answer)
    if (
        isinstance(data, dict)
        and isinstance(item.data, LibraryObject)
        and (item.data.filed_under() or item.data) in data
    ):
        return True
    if isinstance(data, dict) and isinstance(item.data, TYPES):
        return id(item.data) in data
    if isinstance(data, (list, tuple)) and isinstance(item.data, TYPES):
        same = [identical(one, item) if isinstance(one.data, TYPES) else None for one in data]
        return True if True in same else None if None in same else False
    item = settled(item)
    if not is_constant(item):
        return None
    wanted = item.data if isinstance(item.data, str) else ""
    if isinstance(data, dict):
        there, keys = item.data in data, data if len(data) <= MOST_OPEN_KEYS else ()
        return there or (None if any(may_be(wanted, key) for key in keys if isinstance(key, str)) else False)
    if isinstance(data, str) and isinstance(item.data, str):
        return item.data in data or (None if VARIABLE.search(data) or VARIABLE.search(wanted) else False)
    if isinstance(data, (list, tuple, set)):
        data = [settled(one) if isinstance(one, Value) else one for one in data]
        if any(isinstance(one, Value) and is_constant(one) and one.data == item.data for one in data):
            return True
        is_known = all(isinstance(one, Value) and is_constant(one) for one in data)
        texts = [one.data for one in data if isinstance(one, Value) and isinstance(one.data, str)]
        return False if is_known and not any(may_be(wanted, text) for text in texts) else None
    if isinstance(data, range) and isinstance(item.data, int):
        return item.data in data
    return None


def negate(value: Value) -> Value:
    """Apply `not`."""
    known = truth(value)
    return unknown("depends on what is not known", value) if known is None else Value(not known, value.src)
