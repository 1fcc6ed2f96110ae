"""Searches for good settings: Optuna, Hyperopt, Ray Tune and sweeps call a function, once for each trial."""

from dataclasses import replace

from schedmate.readers.code.libraries.iterators import make_product
from schedmate.readers.code.python.attributes import get_attribute
from schedmate.readers.code.values.objects import (
    CALLABLES,
    BoundMethod,
    Class,
    ExternalResult,
    Function,
    Instance,
    Partial,
)
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Config, Items, Value, first, mapping_of, sequence_of, unknown

FUNCTIONS = (*CALLABLES, Instance)


def follow_trial(call: Call) -> Value | None:
    """Model `study.optimize(objective)`: what a trial suggests only the run knows."""
    target = call.need(0, "func")
    trial = Value(ExternalResult("optuna.trial.Trial", [], {}, call.spot), (call.spot,))
    return follow(call, target, [trial])


def follow(call: Call, target: Value, args: list[Value]) -> Value | None:
    """Follow a trial as a call of its function; loops around the search are none of training."""
    if not isinstance(target.data, FUNCTIONS):
        return None
    call.run.call(target, args, {}, call.spot, call.scope)
    return call.made(owner=call.owner)


def suggest(call: Call) -> Value:
    """Model a trial's suggestions: one of several choices is open, the only one is known."""
    choices = sequence_of(call.arg(1, "choices"))
    if call.name.endswith("categorical") and len(choices) == 1:
        return choices[0]
    return unknown(Reason.SEARCHED, *choices[:3])


def minimize(call: Call) -> Value | None:
    """Model `fmin(objective, space)`: settings that the space fixes are known."""
    space = call.arg(1, "space")
    return follow(call, call.need(0, "fn"), [drawn(space) if space is not None else unknown("what is drawn")])


def drawn(space: Value, depth: int = 0) -> Value:
    """Give one draw of a space: what is no plain setting in it is open."""
    data = space.data
    if isinstance(data, dict) and depth < 6:
        items: Items = {key: drawn(one, depth + 1) for key, one in data.items()}
        return Value(Config(items, data.kind) if isinstance(data, Config) else items, space.src)
    if isinstance(data, ExternalResult):
        choices = sequence_of(data.args[-1] if data.args else None)
        is_choice = data.short in ("choice", "grid_search", "qchoice")
        return choices[0] if is_choice and len(choices) == 1 else unknown(Reason.SEARCHED, *choices[:3])
    return space


def tune_run(call: Call) -> Value | None:
    """Model `tune.run(function, config=...)`."""
    space = call.kwargs.get("config")
    return run_trainable(call, call.need(0, "run_or_experiment"), space)


def run_experiments(call: Call) -> Value | None:
    """Model `tune.run_experiments({name: {"run": function, "config": settings}})`, the first of them."""
    told = call.need(0, "experiments", dict).data
    described = mapping_of(next(iter(told.values()), None))
    return run_trainable(call, described["run"], described.get("config")) if "run" in described else None


def tuner_fit(call: Call) -> Value | None:
    """Model `Tuner(function, param_space=...).fit()`."""
    made = call.own(ExternalResult)
    target = made.kwargs.get("trainable") or (made.args[0] if made.args else None)
    return run_trainable(call, target, made.kwargs.get("param_space")) if target is not None else None


def run_trainable(call: Call, target: Value, space: Value | None) -> Value | None:
    """Follow a trial of Ray Tune: a function of the settings, or a class with `setup` and `step`, once `_train`."""
    settings = drawn(space) if space is not None else Value({})
    while isinstance(target.data, ExternalResult) and target.data.short in ("with_resources", "with_parameters"):
        outer = target.data
        inner = outer.args[0] if outer.args else unknown("a function that is not known")
        given = outer.kwargs if outer.short == "with_parameters" else {}
        target = Value(Partial(inner, [], dict(given)), target.src) if given else inner
    if not isinstance(target.data, Class):
        return follow(call, target, [settings])
    made = call.run.call(target, [], {}, call.spot, call.scope)
    for name, args in (("setup", [settings]), ("_setup", [settings]), ("step", []), ("_train", [])):
        method = target.data.find(name)
        if method is not None and isinstance(method.data, Function):
            call.run.call(Value(BoundMethod(made, method.data)), args, {}, call.spot, call.scope)
    return call.made(owner=call.owner)


def make_sweep(call: Call) -> Value | None:
    """Keep what `wandb.sweep(settings)` fixes, for the runs of its agent."""
    parameters = mapping_of(mapping_of(call.need(0, "sweep")).get("parameters"))
    chosen = {key: one_of(value) for key, value in parameters.items()}
    call.run.facts["swept"] = Value(chosen, call.args[0].src if call.args else (call.spot,))
    return None


def one_of(parameter: Value) -> Value:
    """Give a parameter's value where it has but one."""
    fixed, choices = first(parameter, "value"), sequence_of(first(parameter, "values"))
    if fixed is not None:
        return fixed
    return choices[0] if len(choices) == 1 else unknown(Reason.SEARCHED, *choices[:3])


def run_agent(call: Call) -> Value | None:
    """Model `wandb.agent(sweep, function=train)`: the function runs with the sweep's settings."""
    target = call.arg(1, "function")
    swept = call.run.facts.get("swept")
    if swept is not None:
        call.run.facts["tracked"] = Value(Config(dict(swept.data)), swept.src)
    return follow(replace(call, args=[]), target, []) if target is not None else None


def search_models(call: Call) -> Value | None:
    """Model a Keras tuner's `search(data, epochs=...)`: each model that is built is fitted."""
    made = call.own(ExternalResult)
    build = made.kwargs.get("hypermodel") or (made.args[0] if made.args else None)
    if build is None or not isinstance(build.data, FUNCTIONS):
        return None
    space = Value(ExternalResult("keras_tuner.HyperParameters", [], {}, call.spot), (call.spot,))
    model = call.run.call(build, [space], {}, call.spot, call.scope)
    return call.run.call(get_attribute(call.run, model, "fit", None), call.args, call.kwargs, call.spot, call.scope)


def list_grid(call: Call) -> Value | None:
    """Model scikit-learn's `ParameterGrid({name: values})`."""
    grid = call.need(0, "param_grid", dict).data
    rows = make_product(replace(call, name="product", args=list(grid.values()), kwargs={}))
    if rows is None:
        return None
    return Value([Value(dict(zip(grid, row.data, strict=True)), row.src) for row in rows.data], (call.spot,))


def run_variant(call: Call) -> Value | None:
    """Model rllab's `run_experiment_lite(function, variant=...)`, which hands the variant to the function."""
    variant = call.kwargs.get("variant")
    return follow(call, call.need(0, "stub_method_call"), [variant if variant is not None else Value({})])


def add_variant(call: Call) -> Value | None:
    """Keep what rllab's `VariantGenerator.add(name, values)` lists under a name."""
    made, name = call.own(ExternalResult), call.constant(0, "key")
    if isinstance(name, str):
        made.attrs[name] = one_of(Value({"values": call.need(1, "vals")}))
    return Value(None)


def list_variants(call: Call) -> Value | None:
    """Model rllab's `VariantGenerator.variants()`: what is listed but once is the same in all of them."""
    return Value([Value(dict(call.own(ExternalResult).attrs), (call.spot,))], (call.spot,))


HOOKS: dict[str, Hook] = {
    **by_names("sklearn.model_selection.ParameterGrid sklearn.grid_search.ParameterGrid", list_grid),
    **by_names("hyperopt.fmin skopt.gp_minimize skopt.forest_minimize", minimize),
    "ray.tune.run": tune_run,
    "ray.tune.run_experiments": run_experiments,
    "rllab.misc.instrument.run_experiment_lite": run_variant,
    "wandb.sweep": make_sweep,
    "wandb.agent": run_agent,
}
ENDINGS: dict[str, Hook] = {
    **by_names("create_study.optimize load_study.optimize Study.optimize", follow_trial),
    **by_names("Trial.suggest_float Trial.suggest_int Trial.suggest_categorical Trial.suggest_loguniform", suggest),
    **by_names("Trial.suggest_uniform Trial.suggest_discrete_uniform", suggest),
    "Tuner.fit": tuner_fit,
    "VariantGenerator.add": add_variant,
    "VariantGenerator.variants": list_variants,
    **by_names("RandomSearch.search Hyperband.search BayesianOptimization.search GridSearch.search", search_models),
}
