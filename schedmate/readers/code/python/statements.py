"""Follow statements: the known way where a condition is known, both ways and a merge where it is not."""

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from schedmate.readers.code.python import branches, loops
from schedmate.readers.code.python.assignments import assign, ast_load, take_from_part
from schedmate.readers.code.python.builtins.builtin_functions import known_sequence
from schedmate.readers.code.python.cases import is_taken
from schedmate.readers.code.python.classes import define_class
from schedmate.readers.code.python.functions import define_function
from schedmate.readers.code.python.modules.imports import import_from, import_name
from schedmate.readers.code.python.operators import operate_in
from schedmate.readers.code.python.rounds.while_bounds import last_name
from schedmate.readers.code.python.saved_tries import tries_what_was_saved
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.leaving import ControlFlow, ProgramExited, ProgramRaised
from schedmate.readers.code.values.objects import ExternalResult, GeneratedItems, Instance
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import (
    External,
    SourceLocation,
    Unknown,
    Value,
    is_constant,
    is_unknown_by,
    unknown,
)

ASKS_FOR = ("exists", "isfile", "is_file", "isdir", "is_dir", "getenv")
"""How functions and methods are called that tell whether a file is there, or a variable."""
ROWS = ("ModuleList", "LayerList", "Sequential")
"""Rows of layers that `+=` adds to as it adds to lists."""
EXITS = ("sys.exit", "exit", "quit", "os._exit")
Step = Callable[[Run, Any, Scope], ControlFlow | None]  # Any: each takes its own kind of statement


def execute(run: Run, body: list[ast.stmt], scope: Scope) -> ControlFlow | None:
    """Follow a block until something leaves it."""
    for statement in body:
        run.step()
        step = STEPS.get(type(statement))
        if step is not None:
            signal = step(run, statement, scope)
            if signal is not None:
                return signal
    return None


def follow_expression(run: Run, node: ast.Expr, scope: Scope) -> None:
    if not isinstance(node.value, ast.Constant):
        run.evaluate(node.value, scope)


def follow_assign(run: Run, node: ast.Assign, scope: Scope) -> None:
    value = run.evaluate(node.value, scope)
    run.observer.assigns(run, node, scope)
    for target in node.targets:
        assign(run, target, value, scope)


def follow_annotated(run: Run, node: ast.AnnAssign, scope: Scope) -> None:
    if node.value is not None:
        assign(run, node.target, run.evaluate(node.value, scope), scope)


def follow_augmented(run: Run, node: ast.AugAssign, scope: Scope) -> None:
    load = ast.copy_location(ast_load(node.target), node)
    before, added = run.evaluate(load, scope), run.evaluate(node.value, scope)
    if isinstance(before.data, list) and isinstance(node.op, ast.Add):
        if isinstance(added.data, (int, float, type(None))) and scope.tries:
            raise ProgramRaised("TypeError")
        run.journal.touch(before.data)
        more = known_sequence(added)
        run.note_growth(before.data)
        if more is None or not run.has_known_length(added):
            run.grown[id(before.data)] = before.data
        before.data.extend(more or ())
        return
    if isinstance(before.data, ExternalResult) and before.data.short in ROWS and isinstance(node.op, ast.Add):
        more_of_it = Value(External(f"{before.data.callee}.extend", before))
        run.call(more_of_it, [added], {}, SourceLocation(scope.path, node.lineno), scope)
        return
    if run.loops and isinstance(node.op, ast.Add) and added.data == 1:
        run.counters.update(last_name(node.target))
    made = operate_in(scope, node.op, before, added)
    run.hand_growth_on(made, before, added)
    assign(run, node.target, made, scope)


def follow_if(run: Run, node: ast.If, scope: Scope) -> ControlFlow | None:
    test = run.evaluate(node.test, scope)
    known = None if id(test.data) in run.maybe_empty else truth(test)
    if known is not None and misses_what_a_run_has(run, node.test, node.body if known else node.orelse, scope):
        known = None
    run.observer.branches(run, node, scope)
    if known is not None:
        return follow_branch(run, node.body if known else node.orelse, scope)
    if is_unknown_by(test, Reason.EARLIER_RUN) and not (node.orelse and gives_up(node.orelse)):
        branches.explore(run, [partial(run.execute, node.body, scope)])  # seen, but the job begins without it
        return follow_branch(run, node.orelse, scope)
    return branches.follow_both(run, [node.body, node.orelse], scope, partial(take_as_true, run, node.test, scope))


def misses_what_a_run_has(run: Run, test: ast.expr, taken: list[ast.stmt], scope: Scope) -> bool:
    """Tell a branch that ends the program for want of a file or a variable, which the user's run has: it went on."""
    if not taken or not gives_up(taken) or (isinstance(taken[-1], ast.Raise) and not raises_exit(taken[-1])):
        return False
    parts = [one for one in ast.walk(test) if isinstance(one, (ast.Name, ast.Attribute))]
    asked = (scope.find(one.id) for one in parts if isinstance(one, ast.Name))
    unset = any(one is not None and one.data is None and not run.unset.isdisjoint(one.src) for one in asked)
    return unset or any(getattr(one, "attr", getattr(one, "id", "")) in ASKS_FOR for one in parts)


def raises_exit(last: ast.Raise) -> bool:
    """Tell the error that ends a program as it means to: `raise SystemExit("no such file")`."""
    return last.exc is not None and ast.unparse(last.exc).startswith("SystemExit")


def follow_branch(run: Run, body: list[ast.stmt], scope: Scope) -> ControlFlow | None:
    """Follow the branch that is taken; one that ends in an error is not what the user's run does."""
    try:
        return execute(run, body, scope)
    except ProgramExited:
        raise
    except ProgramRaised:
        if run.unsure or run.tries:
            raise
        run.observer.breaks_off(run, SourceLocation(scope.path, body[0].lineno))
        return None


def take_as_true(run: Run, test: ast.expr, scope: Scope) -> None:
    """Remember in the branch of `if name:` that the name is true there, whatever it is."""
    if isinstance(test, ast.Name) and (value := scope.find(test.id)) is not None and isinstance(value.data, Unknown):
        data = value.data
        narrowed = Value(Unknown(data.why, data.parts, is_true=True, reason=data.reason), value.src)
        run.journal.put(scope.home_of(test.id), test.id, narrowed)


def follow_return(run: Run, node: ast.Return, scope: Scope) -> ControlFlow:
    return ControlFlow("return", run.evaluate(node.value, scope) if node.value else Value(None))


def follow_definition(run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, scope: Scope) -> None:
    made = define_class(run, node, scope) if isinstance(node, ast.ClassDef) else define_function(run, node, scope)
    run.journal.put(scope.home_of(node.name), node.name, made)


def follow_import(run: Run, node: ast.Import, scope: Scope) -> None:
    for alias in node.names:
        top = alias.name.partition(".")[0]
        value = import_name(run, alias.name if alias.asname else top, scope, node.lineno)
        if not alias.asname and "." in alias.name:
            import_name(run, alias.name, scope, node.lineno)
        run.journal.put(scope.home_of(alias.asname or top), alias.asname or top, value)


def follow_with(run: Run, node: ast.With | ast.AsyncWith, scope: Scope) -> ControlFlow | None:
    for item in node.items:
        value = run.evaluate(item.context_expr, scope)
        if item.optional_vars is not None:
            entered = value
            if isinstance(value.data, Instance) and (enter := value.data.cls.find("__enter__")) is not None:
                entered = run.call(enter, [value])
            elif isinstance(value.data, GeneratedItems) and len(value.data) == 1:
                entered = value.data[0]
            assign(run, item.optional_vars, entered, scope)
    return execute(run, node.body, scope)


def follow_try(run: Run, node: ast.Try, scope: Scope) -> ControlFlow | None:
    if tries_what_was_saved(node) and not gives_up(node.handlers[0].body):
        signal = branches.follow_both(run, [[*node.body, *node.orelse], node.handlers[0].body], scope)
        return execute(run, node.finalbody, scope) or signal
    tried = int(any(not gives_up(handler.body) for handler in node.handlers))  # else nothing goes on after an error
    scope.tries += tried
    run.tries += tried
    try:
        signal = execute(run, node.body, scope)
        if signal is None:
            signal = execute(run, node.orelse, scope)
    except ProgramExited:
        raise
    except ProgramRaised:
        if not node.handlers:
            raise
        signal = None
        handler = node.handlers[0]
        if handler.name:
            run.journal.put(scope.vars, handler.name, unknown("an exception"))
        scope.tries -= tried
        run.tries -= tried
        try:
            signal = execute(run, handler.body, scope)
        finally:
            scope.tries += tried
            run.tries += tried
    finally:
        scope.tries -= tried
        run.tries -= tried
    return execute(run, node.finalbody, scope) or signal


def gives_up(body: list[ast.stmt]) -> bool:
    """Tell statements that end the program after all: `except OSError: cleanup(); raise`."""
    last = body[-1]
    called = last.value.func if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) else None
    return isinstance(last, ast.Raise) or (called is not None and ast.unparse(called) in EXITS)


def follow_raise(run: Run, node: ast.Raise, scope: Scope) -> ControlFlow | None:
    name = ast.unparse(node.exc)[:60] if node.exc is not None else ""
    if name.startswith("SystemExit"):
        if isinstance(node.exc, ast.Call):
            for argument in node.exc.args:  # `raise SystemExit(main())` runs the program first
                run.evaluate(argument, scope)
        raise ProgramExited
    raise ProgramRaised(name)


def follow_delete(run: Run, node: ast.Delete, scope: Scope) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            run.journal.drop(scope.home_of(target.id), target.id)
        elif isinstance(target, ast.Attribute):
            held = run.evaluate(target.value, scope).data
            if isinstance(held, Instance):
                run.journal.put(held.attrs, target.attr, Value(None))
        elif isinstance(target, ast.Subscript):
            owner, key = run.evaluate(target.value, scope), run.evaluate(target.slice, scope)
            if isinstance(owner.data, dict) and is_constant(key):
                run.journal.drop(owner.data, key.data)
            elif isinstance(owner.data, list):
                run.journal.touch(owner.data)
                run.forget_length(owner.data)
                if type(key.data) is int and -len(owner.data) <= key.data < len(owner.data):
                    del owner.data[key.data]
                else:
                    run.grown[id(owner.data)] = owner.data
            elif isinstance(owner.data, External):
                take_from_part(run, owner.data)


def follow_assert(run: Run, node: ast.Assert, scope: Scope) -> None:
    """Look at the condition for what it calls; where it surely does not hold, the user's run is another one."""
    if truth(run.evaluate(node.test, scope)) is False and not (run.unsure or run.tries):
        run.observer.breaks_off(run, SourceLocation(scope.path, node.lineno))


def follow_match(run: Run, node: ast.Match, scope: Scope) -> ControlFlow | None:
    subject = run.evaluate(node.subject, scope)
    open_cases: list[list[ast.stmt]] = []
    for case in node.cases:
        fits = is_taken(run, case, subject, scope)
        if fits is True and not open_cases:
            return execute(run, case.body, scope)
        if fits is not False:
            open_cases.append(case.body)
    return branches.follow_both(run, open_cases, scope) if open_cases else None


STEPS: dict[type[ast.stmt], Step] = {
    ast.Expr: follow_expression,
    ast.Assign: follow_assign,
    ast.AnnAssign: follow_annotated,
    ast.AugAssign: follow_augmented,
    ast.If: follow_if,
    ast.For: loops.follow_for,
    ast.AsyncFor: loops.follow_for,
    ast.While: loops.follow_while,
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), follow_definition),
    ast.Return: follow_return,
    ast.Import: follow_import,
    ast.ImportFrom: import_from,
    ast.With: follow_with,
    ast.AsyncWith: follow_with,
    ast.Try: follow_try,
    ast.Raise: follow_raise,
    ast.Break: lambda run, node, scope: ControlFlow("break"),
    ast.Continue: lambda run, node, scope: ControlFlow("continue"),
    ast.Delete: follow_delete,
    ast.Global: lambda run, node, scope: scope.global_names.update(node.names),
    ast.Nonlocal: lambda run, node, scope: scope.outer_names.update(node.names),
    ast.Assert: follow_assert,
    ast.Match: follow_match,
}
