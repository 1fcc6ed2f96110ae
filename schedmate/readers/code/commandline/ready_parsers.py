"""Command lines that libraries make ready: Detectron2, Isaac Gym, prefigure and its file of options."""

from schedmate.readers.code.commandline.argparse import CommandLineParser, add_argument, parse_args
from schedmate.readers.code.commandline.parsing import Option
from schedmate.readers.code.configs.files import load_named
from schedmate.readers.code.libraries.argument_words import guess, word_text
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod
from schedmate.readers.code.values.value import Value, is_constant, mapping_of, sequence_of
from schedmate.readers.code.values.whole_numbers import whole_count

DETECTRON = {
    "--num-gpus": 1, "--num-machines": 1, "--machine-rank": 0, "--config-file": "", "--dist-url": "", "--resume": False,
    "--eval-only": False
}  # fmt: skip

ISAAC_GYM = {
    "--sim_device": "cuda:0", "--pipeline": "gpu", "--graphics_device_id": 0, "--num_threads": 0, "--subscenes": 0,
    "--slices": None, "--flex": False, "--physx": False
}  # fmt: skip
"""Their options with the defaults, in the order in which they list them; what is off is a switch."""
WHOLE = Value(LibraryMethod(lambda call: None, "int"))


def ready_option(name: str, default: object, call: Call, kind: Value | None = None) -> Option:
    """Make an option of a ready command line."""
    action = "store_true" if default is False else "store"
    return Option([name], name[2:].replace("-", "_"), Value(default, (call.spot,)), kind, action, spot=call.spot)


def detectron_parser(call: Call) -> Value | None:
    """Model Detectron2's `default_argument_parser()`."""
    parser = CommandLineParser()
    for name, default in DETECTRON.items():
        parser.options.append(ready_option(name, default, call, WHOLE if type(default) is int else None))
    parser.options.append(Option(["opts"], "opts", Value([]), nargs="...", spot=call.spot, positional=True))
    return Value(parser, (call.spot,))


def isaac_arguments(call: Call) -> Value | None:
    """Model Isaac Gym's `parse_arguments`: its own options, those that it is told of, and the device taken apart."""
    parser = Value(CommandLineParser(), (call.spot,))
    parser.data.options += [ready_option(name, default, call) for name, default in ISAAC_GYM.items()]
    for one in sequence_of(call.arg(3, "custom_parameters")):
        if isinstance(one.data, dict) and "name" in one.data:
            rest = {str(key): value for key, value in one.data.items() if key != "name"}
            spot = one.data["name"].src[0] if one.data["name"].src else call.spot
            add_argument(Call(call.run, "add_argument", [one.data["name"]], rest, spot, call.scope, parser))
    namespace = parse_args(Call(call.run, "parse_args", [], {}, call.spot, call.scope, parser))
    if namespace is not None and isinstance(namespace.data, dict):
        take_device_apart(namespace)
    return namespace


def take_device_apart(namespace: Value) -> None:
    """Set what the library works out of `sim_device`: its type, its number, whether it is a GPU."""
    device = namespace.data["sim_device"]
    if not is_constant(device) or not isinstance(device.data, str):
        return
    kind, _, number = device.data.partition(":")
    namespace.data.update(
        sim_device_type=Value(kind, device.src),
        compute_device_id=Value(whole_count(number) or 0, device.src),
        use_gpu=Value(kind == "cuda", device.src),
        use_gpu_pipeline=Value(kind == "cuda" and namespace.data["pipeline"].data in ("gpu", "cuda"), device.src),
    )


def prefigure_arguments(call: Call) -> Value | None:
    """Model prefigure's `get_all_args()`: a file's lines are the options, their values the defaults and the types."""
    loaded = load_named(call.run, call.arg(0, "defaults_file") or Value("defaults.ini"), call.scope)
    parser = CommandLineParser()
    for section in mapping_of(loaded).values():
        for name, value in mapping_of(section).items():
            default = Value(guess(word_text(value).strip("'\"")), value.src)
            kind = Value(LibraryMethod(lambda inner: None, type(default.data).__name__))
            words = sorted({f"--{name}", f"--{str(name).replace('_', '-')}"})
            parser.options.append(Option(words, str(name), default, kind, spot=call.spot))
    return parse_args(Call(call.run, "parse_args", [], {}, call.spot, call.scope, Value(parser, (call.spot,))))


HOOKS: dict[str, Hook] = {
    "prefigure.get_all_args": prefigure_arguments,
    "prefigure.prefigure.get_all_args": prefigure_arguments,
    "detectron2.engine.default_argument_parser": detectron_parser,
    "isaacgym.gymutil.parse_arguments": isaac_arguments,
}
