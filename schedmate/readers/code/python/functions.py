"""Define functions and follow their calls: bind the arguments, follow the body, merge what may be returned."""

import ast
from functools import lru_cache

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.readers.code.python.rounds.endless_loops import never_ends
from schedmate.readers.code.values.events import FollowedCalls
from schedmate.readers.code.values.joining import join
from schedmate.readers.code.values.leaving import BudgetSpent, ControlFlow, ProgramExited, ProgramRaised
from schedmate.readers.code.values.objects import (
    BoundMethod,
    Class,
    ExternalResult,
    Function,
    GeneratedItems,
    Instance,
    LibraryObject,
    Partial,
)
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import LibraryMethod, Run
from schedmate.readers.code.values.run_state import Gap
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Config, External, SourceLocation, Unknown, Value, unknown

DEEPEST = 48

LEAST_SHARE = 20_000
"""Steps that a function may take at least, where deeper ones get ever smaller parts of what is left."""
MOST_KEPT = 12_000
"""Steps that a function at most keeps to go on with after one that takes all it may: the job lies below many calls."""
ENOUGH_CALLS, COSTLY, COSTLY_MAKING = 3, 6_000, 30_000
"""After so many calls and steps a function is followed no more if its last call showed no new place; a deep network
makes many objects of one class, each of other widths, all of which are its size."""
DEEPEST_MAKING = 3
"""How many calls below an object's making its parts may be put together."""
BASES = tuple(words("networks.bases"))
MOST_RECURSION = 2
MOST_RECURSION_ON_KNOWN = 5

SIDE_WORK = re2.compile(
    r"(?i)^_*(log|print|plot|draw|visuali[sz]e|show|display|save|dump|write|export|evaluate|validate|eval|"
    r"validation|summari[sz]e|count_param|num_param|get_num_params|estimate_|profile|sync|barrier|broadcast|all_?gather|all_?reduce|"
    r"seed|set_seed|setup_seed|fix_seed|set_random|metric|accuracy|timer|timing|assert_|warn|notify|sample_|generate|"
    r"download|unzip|extract_archive|load_checkpoint|save_checkpoint|resume|time_since|format_|pretty|colou?r|banner|"
    r"compute_(metric|loss|bleu|acc|return|adv)|get_logger|setup_log|init_log|configure_log|create_logger|make_logger|"
    r"wandb|tensorboard|git_|get_git|mkdir|makedirs|clean|remove|delete)(_\w+|\w*)$"
)
"""Functions by whose name one sees that they do not settle what the job is: not followed, to save time and reading."""
SETTLES = re2.compile(
    r"(?i)^_*(assert|validate|eval)\w*_(cfg|config|configs|args|arguments|opt|opts|options|hparams|settings)$"
)
"""Functions that check options and, where one hangs on another, set them."""

USES_A_MODEL = re2.compile(r"(?i)^_*(evaluat|validat|eval|sample|generate)\w*$")
"""Functions that are the work of a job which does not train."""
LEARNS_TOO = re2.compile(
    r"(?i)_and_(\w+_)?(train|fit|learn|optimi[sz]e|fine_?tune|update_\w*(agent|polic|model|net|critic|actor|weight|param))"
)
"""Functions by whose name one sees that they learn besides: `generate_rollouts_and_update_agent`."""
WORK = re2.compile(
    r"(?i)^_*(do_|perform_|execute_)?(main|train(ing)?|run|fit|worker|work|job|experiment|start|launch)(_\w+)?$"
)
"""How functions are called that are a program's work."""
LOADERS = frozenset(words("data.loaders"))
GRADIENTS = frozenset({"backward", "apply_gradients", "apply_updates", "value_and_grad"})
DECORATORS = {"property": "property", "staticmethod": "static", "classmethod": "class"}
PROPERTIES = frozenset({"cached_property", "abstractproperty", "lazy_property"})


def define_function(run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Value:
    """Make the function and apply its decorators."""
    defaults = [run.evaluate(default, scope) for default in node.args.defaults]
    named = {
        arg.arg: run.evaluate(default, scope)
        for arg, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is not None
    }
    function = Function(node.name, node, scope, defaults, named)
    value = Value(function, (SourceLocation(scope.path, node.lineno),))
    for decorator in reversed(node.decorator_list):
        value = decorate(run, decorator, value, function, scope)
    return value


def decorate(run: Run, node: ast.expr, value: Value, function: Function, scope: Scope) -> Value:
    """Apply one decorator; one that is not understood leaves the function as it is."""
    if isinstance(node, ast.Name) and node.id in DECORATORS and scope.find(node.id) is None:
        function.kind = DECORATORS[node.id]
        return value
    if isinstance(node, ast.Attribute) and node.attr in ("setter", "getter", "deleter"):
        return value
    decorator = run.evaluate(node, scope)
    if isinstance(decorator.data, External) and decorator.data.name.rpartition(".")[2] in PROPERTIES:
        function.kind = "property"
        return value
    outcome = run.call(decorator, [value], {}, SourceLocation(scope.path, node.lineno), scope)
    if isinstance(outcome.data, (Function, Class, LibraryObject, LibraryMethod, Partial, BoundMethod, Instance)):
        return outcome
    return outcome if isinstance(outcome.data, ExternalResult) and "apply" in outcome.data.attrs else value


def is_side_work(run: Run, function: Function) -> bool:
    """Tell by its name a function that settles nothing, unless it checks options, updates a model or makes a loader."""
    name = function.name
    if not SIDE_WORK.match(name) or SETTLES.match(name) or LEARNS_TOO.search(name):
        return False
    if run.follows_use and USES_A_MODEL.match(name):
        return False
    return not updates_a_model(function.node) and (tells_evaluation(name) or not gives_loader(function.node))


def is_handed_work(args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Tell a call that hands the work itself over: `logger.log(main, path)`, `profile(train, options)`."""
    handed = [*args[:4], *kwargs.values()]
    functions = (one.data.function if isinstance(one.data, BoundMethod) else one.data for one in handed)
    return any(isinstance(one, Function) and WORK.match(one.name) is not None for one in functions)


@lru_cache(maxsize=256)
def updates_a_model(node: ast.AST) -> bool:
    """Tell a body that works out gradients or applies them, whatever the function is called."""
    names = (one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute))
    return not GRADIENTS.isdisjoint(names)


@lru_cache(maxsize=256)
def gives_loader(node: ast.AST) -> bool:
    """Tell a body that hands back a loader which it makes: `sample_data(...)`, `generate_loaders(...)`."""
    parts = list(ast.walk(node))
    given = [part for one in parts if isinstance(one, ast.Return) and one.value for part in ast.walk(one.value)]
    names = {one.id for one in given if isinstance(one, ast.Name)}
    bound = [one for one in parts if isinstance(one, ast.Assign)]
    made = [one.value for one in bound if any(isinstance(to, ast.Name) and to.id in names for to in one.targets)]
    called = [one.func for one in (*given, *made) if isinstance(one, ast.Call)]
    return any(ast.unparse(one).rpartition(".")[2] in LOADERS for one in called)


def call_function(run: Run, function: Function, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Follow the body with its arguments bound; endless recursion and side work are not followed.

    Where it may have returned before it raises or exits, the user's run has: a run that ends there is of no use.
    """
    key = id(function.node)
    closure = (key, id(function.scope))  # one decorator's wrappers around several functions may call each other
    known = tells_nothing_new(run, key, function.name)
    left_out = len(run.functions) >= DEEPEST or is_recursion(run, closure, args) or known
    aside = bool(run.functions) and is_side_work(run, function) and not is_handed_work(args, kwargs)
    if left_out or aside:
        run.observer.passes_by(run, function.name, SourceLocation(function.path, function.node.lineno))
        return unknown(f"{function.name}() is not followed", *args[:2])
    kwargs = run.libraries.bound_arguments(run, function, args, kwargs)
    scope = Scope(function.scope.module, bind_arguments(function, args, kwargs), function.scope)
    if isinstance(function.node, ast.Lambda):
        return run.evaluate(function.node.body, scope)
    scope.yields, scope.unsure = [], run.unsure + run.again
    limit, run.limit = run.limit, min(run.limit, run.steps + share_of(run.limit - run.steps))
    run.functions.append(function.name)
    run.active[closure] = run.active.get(closure, 0) + 1
    steps, seen = run.steps, len(run.seen)
    try:
        signal = run.execute(function.node.body, scope)
    except ProgramRaised as error:
        if scope.returns:
            signal = ControlFlow("return", scope.returns.pop())
        elif run.unsure or run.tries or isinstance(error, ProgramExited):
            raise
        else:
            run.observer.breaks_off(run, SourceLocation(function.path, function.node.lineno))
            signal = None
    except BudgetSpent:
        if run.steps >= limit:
            raise
        made = args[0].data if function.name == "__init__" and args else None
        network = made.cls.name if isinstance(made, Instance) and is_of_layers(made) else ""
        if network:
            run.note(f"{network} has more layers than are followed", Gap.LAYERS)
        else:
            run.note(f"{function.name}() is too long to be followed to its end", Gap.PATH)
        signal = None
    finally:
        run.limit = limit
        run.functions.pop()
        run.active[closure] -= 1
        keep_cost(run, key, run.steps - steps, len(run.seen) > seen)
    returned = signal.value if signal is not None and signal.kind == "return" else None
    return outcome_of(scope, returned, function.node)


def share_of(left: int) -> int:
    """Give how many of the steps that are left a function may take."""
    return max(LEAST_SHARE, left - min(left // 6, MOST_KEPT))


def is_of_layers(made: Instance) -> bool:
    """Tell an object of a class that networks and their layers extend."""
    return any(name.rpartition(".")[2].endswith(BASES) for name in made.cls.outside())


def is_recursion(run: Run, closure: tuple[int, int], args: list[Value]) -> bool:
    """Tell a call of itself that leads no further; over known mappings and lists it goes deeper before it is left."""
    known = bool(args) and not any(isinstance(arg.data, (Unknown, External)) for arg in args)
    return run.active.get(closure, 0) >= (MOST_RECURSION_ON_KNOWN if known else MOST_RECURSION)


def keep_cost(run: Run, key: int, steps: int, news: bool) -> None:
    """Keep what following a function once has cost, and whether it called any library at a new place."""
    known = run.followed.setdefault(key, FollowedCalls())
    known.count += 1
    known.steps += steps
    known.news = news


def tells_nothing_new(run: Run, key: int, name: str) -> bool:
    """Tell a costly function that was followed often enough: the blocks of a deep network, one step of a simulation."""
    known = run.followed.get(key)
    most = COSTLY_MAKING if name == "__init__" else COSTLY
    return known is not None and known.count >= ENOUGH_CALLS and known.steps > most and not known.news


def outcome_of(scope: Scope, returned: Value | None, node: ast.AST | None = None) -> Value:
    """Merge what the ways through a function return."""
    if scope.yields:
        why = Reason.ENDLESS_GENERATOR if node is not None and scope.is_endless and never_ends(node) else "a generator"
        endless = Unknown(why, tuple(scope.yields[:4]))
        return Value(endless if scope.is_endless else GeneratedItems(scope.yields))
    value = returned if returned is not None else Value(None)
    for other in scope.returns:
        value = join(other, value)
    return value


def bind_arguments(function: Function, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
    """Give each parameter its value: argument, default, or unknown."""
    spec = function.node.args
    names = [arg.arg for arg in [*spec.posonlyargs, *spec.args]]
    bound: dict[str, Value] = dict(zip(names, args, strict=False))
    if spec.vararg is not None:
        bound[spec.vararg.arg] = Value(tuple(args[len(names) :]))
    known = {*names, *(arg.arg for arg in spec.kwonlyargs)}
    bound.update({name: value for name, value in kwargs.items() if name in known})
    if spec.kwarg is not None:
        bound[spec.kwarg.arg] = Value({name: value for name, value in kwargs.items() if name not in known})
    defaults = dict(zip(names[len(names) - len(function.defaults) :], function.defaults, strict=True))
    for name, default in (defaults | function.kw_defaults).items():
        may_be_given = "**" in kwargs and isinstance(kwargs["**"].data, Unknown)
        bound.setdefault(name, unknown(f"argument {name} may be given", default) if may_be_given else default)
    for name in known:
        if name not in bound:
            bound[name] = unknown(f"argument {name} is not given", *([kwargs["**"]] if "**" in kwargs else []))
    return bound


def parameters_of(function: Function) -> Config:
    """Give a function's parameters with their defaults, as command-line makers see them."""
    spec = function.node.args
    names = [arg.arg for arg in [*spec.posonlyargs, *spec.args]]
    found = Config(kind="parameters")
    for name in names:
        found[name] = unknown(f"argument {name} is not given")
    for name, default in zip(names[len(names) - len(function.defaults) :], function.defaults, strict=True):
        found[name] = default
    for arg in spec.kwonlyargs:
        found[arg.arg] = function.kw_defaults.get(arg.arg) or unknown(f"argument {arg.arg} is not given")
    return found
