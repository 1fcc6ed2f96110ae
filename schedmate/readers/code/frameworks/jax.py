"""JAX and its relatives: transformations hand back the function that they get; device counts are not known."""

import ast
from dataclasses import dataclass, field

from schedmate.readers.code.evidence.precision_words import precision_of
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.standard_library import keep_first
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import ExternalResult, Function, Instance
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run, by_names
from schedmate.readers.code.values.value import External, Value, unknown
from schedmate.tools.late_patterns import late_re2

AHEAD_OF_TIME = ("lower", "compile")
"""`jit(f).lower(x).compile()` is called as the function is; nothing has run until then."""

STEP = "jax.grad.apply_gradients"
"""As which a step is noted that a program makes of its gradients itself."""
WEIGHTS = late_re2(r"(?i)^(?:\w+_)?(?:params?|parameters?|weights?|theta)\d*$")
"""How programs call the weights of a network."""
LARGEST_FUNCTION = 20_000
"""Parts of one function that are looked through."""


def transform(call: Call) -> Value | None:
    """Model `jit(f)`, `pmap(f)`, `grad(f)`; used as `jit(static_argnums=...)` they give a decorator."""
    target = call.arg(0, "fun") or call.kwargs.get("f")
    if target is not None:
        if isinstance(target.data, Function):
            target.data.marks.update(dict.fromkeys(AHEAD_OF_TIME, Value(LibraryMethod(lambda _: target, call.name))))
        return target
    return Value(LibraryMethod(keep_first, call.name))


def differentiate(call: Call) -> Value | None:
    """Model `grad(f)`: what it is called for shows where the program moves its parameters by hand."""
    call.need(0, "fun")

    def take(inner: Call) -> Value:
        """Note the gradients, and beside them the step that the function around them makes of them."""
        told = inner.args, inner.kwargs, inner.spot
        made = Value(ExternalResult("jax.grad()", *told, loops=inner.run.open_loops), (inner.spot,))
        for name in ("jax.grad()", STEP) if is_descent(inner) else ("jax.grad()",):
            inner.run.record(name, *told, None, made)
        return made

    return Value(LibraryMethod(take, call.name))


def is_descent(call: Call) -> bool:
    """Tell gradients by weights on some data, in a loop, in a function that takes a part of them off each weight."""
    if len(call.args) < 2 or not call.run.open_loops:
        return False
    inside = [one for one in functions_in(call.run, call.spot.path) if one.first <= call.spot.line <= one.last]
    around = max(inside, key=lambda one: one.first, default=None)
    return around is not None and around.takes_off and call.spot.line in around.by_weights


@dataclass(frozen=True)
class WrittenFunction:
    """A function as it is written: its lines, whether it takes a product off each of some things, calls by weights."""

    first: int
    last: int
    takes_off: bool
    by_weights: frozenset[int]


@dataclass
class WrittenFunctions:
    """The functions of each file that was asked about."""

    of_file: dict[str, list[WrittenFunction]] = field(default_factory=dict)


def functions_in(run: Run, path: str) -> list[WrittenFunction]:
    """Look through a file's functions, once."""
    known = run.about(WrittenFunctions).of_file
    if path not in known:
        file = run.trees.get(path)
        known[path] = [written(one) for one in ast.walk(file) if isinstance(one, ast.FunctionDef)] if file else []
    return known[path]


def written(node: ast.FunctionDef) -> WrittenFunction:
    """Look through one function."""
    parts = list(ast.walk(node))[:LARGEST_FUNCTION]
    each = [one for one in parts if isinstance(one, (ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.Lambda))]
    lines = (one.lineno for one in parts if isinstance(one, ast.Call) and is_by_weights(one))
    takes_off = any(takes_part_off(part) for one in each for part in own_parts(one))
    return WrittenFunction(node.lineno, node.end_lineno or node.lineno, takes_off, frozenset(lines))


def own_parts(node: ast.expr) -> list[ast.expr]:
    """Give the expressions that are worked out for each item."""
    found = [node.body] if isinstance(node, ast.Lambda) else []
    found += [node.elt] if isinstance(node, (ast.ListComp, ast.GeneratorExp)) else []
    found += [node.value] if isinstance(node, ast.DictComp) else []
    return [part for one in found for part in (one.elts if isinstance(one, ast.Tuple) else [one])]


def is_by_weights(node: ast.Call) -> bool:
    """Tell a call whose first argument is called as weights are: what else is moved by slopes is for other ends."""
    first = node.args[0] if node.args else None
    return isinstance(first, ast.Name) and WEIGHTS.search(first.id) is not None


def takes_part_off(node: ast.AST) -> bool:
    """Tell `weight - rate * slope`."""
    part = node.right if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) else None
    return isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult)


def device_count(call: Call) -> Value | None:
    """Give the number of devices where the launcher settled it."""
    call.run.about(ProcessSigns).counts_devices = True
    return call.run.facts.get("gpus_per_node") or unknown("the number of devices is known only when the job runs")


def all_devices(call: Call) -> Value | None:
    """Model `jax.devices()`: GPUs, all that are visible, unless one kind is asked for."""
    kind = call.constant(0, "backend")
    if (call.args or call.kwargs) and not isinstance(kind, str):
        return None
    if kind is None:
        call.run.about(ProcessSigns).counts_devices = True
    device = ExternalResult("jax.Device", [], {}, call.spot, attrs={"platform": Value(kind or "gpu", (call.spot,))})
    attrs = {"[0]": Value(device, (call.spot,))}
    return call.made(attrs)


def named_type(call: Call) -> Value | None:
    """Model `jnp.dtype("bfloat16")`: the type of that name."""
    name = call.constant(0)
    return Value(External(f"jax.numpy.{name}"), call.args[0].src) if isinstance(name, str) else call.arg(0)


def transformed(call: Call) -> Value | None:
    """Model Haiku's `transform(f)`: both `init` and `apply` run the function."""
    target = call.need(0, "f")

    def runs(before: int) -> Hook:
        """Leave out the keys, parameters and states that the function itself does not take."""
        return lambda inner: inner.run.call(target, inner.args[before:], inner.kwargs, inner.spot, inner.scope)

    behind = 3 if call.name.endswith("with_state") else 2
    attrs = {"init": Value(LibraryMethod(runs(1), "init")), "apply": Value(LibraryMethod(runs(behind), "apply"))}
    return call.made(attrs)


def restored(call: Call) -> Value | None:
    """Model Flax's `restore_checkpoint(folder, target)`: what is restored is made as the target is."""
    return call.arg(1, "target")


def of_one_tree(call: Call) -> Value | None:
    """Model `tree_map(f, tree)`: an object of the repository's comes back as one of its class, with other leaves."""
    tree = call.need(1, "tree", Instance)
    return tree if len(call.args) < 3 else None


def scan(call: Call) -> Value | None:
    """Model `lax.scan(step, carry, items)`: the step once, which stands for all of them."""
    step, carry = call.need(0, "f"), call.need(1, "init")
    item = unknown("one of the items", *call.args[2:3])
    return call.run.call(step, [carry, item], {}, call.spot, call.scope)


def cond(call: Call) -> Value | None:
    """Model `lax.cond(test, one, other, *operands)`: either may be what runs."""
    given = [*call.args[3:], *([call.kwargs["operand"]] if "operand" in call.kwargs else [])]
    ways = [way for way in (call.arg(1, "true_fun"), call.arg(2, "false_fun")) if way is not None]
    return call.run.call(unknown("one of two ways", *ways), given, {}, call.spot, call.scope)


def round_of(body: int, *, counts: bool) -> Hook:
    """Model loops over a carry, `lax.while_loop` and `lax.fori_loop`: one round stands for all of them."""

    def follow(call: Call) -> Value | None:
        step, carry = call.need(body, "body_fun"), call.need(body + 1, "init_val")
        given = [unknown("the number of the round"), carry] if counts else [carry]
        return call.run.call(step, given, {}, call.spot, call.scope)

    return follow


HOOKS: dict[str, Hook] = {
    **by_names("jax.device_count jax.local_device_count", device_count),
    **by_names("jax.devices jax.local_devices", all_devices),
    "jax.process_index": lambda call: Value(0, (call.spot,)),
    "jax.process_count": lambda call: call.run.facts.get("nodes") or unknown("the number of hosts"),
    **by_names("jax.jit jax.pmap jax.vmap jax.pjit jax.shard_map jax.experimental.pjit.pjit", transform),
    **by_names("jax.experimental.maps.xmap jax.experimental.shard_map.shard_map jax.named_call", transform),
    **by_names("jax.checkpoint jax.remat tensorflow.function", transform),
    "jax.numpy.dtype": named_type,
    "jax.grad": differentiate,
    **by_names("jax.tree_map jax.tree.map jax.tree_util.tree_map", of_one_tree),
    "jax.lax.scan": scan,
    "flax.training.checkpoints.restore_checkpoint": restored,
    "jax.lax.cond": cond,
    "jax.lax.while_loop": round_of(1, counts=False),
    "jax.lax.fori_loop": round_of(2, counts=True),
    "jax.default_backend": lambda call: Value("gpu", (call.spot,)),
    **by_names("haiku.transform haiku.transform_with_state", transformed),
    **by_names("flax.jax_utils.replicate flax.jax_utils.unreplicate jax.device_put jax.device_get", keep_first),
    **by_names("jax.device_put_replicated jax.block_until_ready", keep_first),
    **by_names("haiku.without_apply_rng optax.inject_hyperparams flax.linen.compact flax.linen.remat", keep_first),
}


def tell_precision(view: View) -> None:
    """Take a dtype option of JAX and of programs that name theirs."""
    if view.training and view.imports.intersection(("jax", "flax")):
        known = [
            (precision_of(value), value)
            for value in view.all_read("precision")
            # Of a path that was lost, a type in code may be that of any part.
            if not (view.is_partial and value.src and value.src[0].path.endswith(".py")) and not is_numpy_double(value)
        ]
        # Weights, moments and checkpoints have dtypes of their own: where they differ, none is known to be the work's.
        if len({name for name, _ in known if name is not None}) == 1:
            name, value = next(pair for pair in known if pair[0] is not None)
            view.keep("precision", name, value.src)


def is_numpy_double(value: Value) -> bool:
    """Tell NumPy's double type: the CPU keeps numbers in it; JAX makes them single unless it is told not to."""
    return isinstance(value.data, External) and value.data.name in ("numpy.float64", "numpy.double")


RULES = (Rule(Subject.PRECISION, "JAX", tell_precision),)
