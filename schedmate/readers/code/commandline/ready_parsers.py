"""Command lines that libraries make ready: Detectron2's parser, Isaac Gym's arguments."""

from schedmate.readers.code.commandline.argparse import CommandLineParser, add_argument, parse_args
from schedmate.readers.code.commandline.options import Option
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod
from schedmate.readers.code.values.value import Value, is_constant, sequence_of

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
        compute_device_id=Value(int(number) if number.isdigit() else 0, device.src),
        use_gpu=Value(kind == "cuda", device.src),
        use_gpu_pipeline=Value(kind == "cuda" and namespace.data["pipeline"].data in ("gpu", "cuda"), device.src),
    )


HOOKS: dict[str, Hook] = {
    "detectron2.engine.default_argument_parser": detectron_parser,
    "isaacgym.gymutil.parse_arguments": isaac_arguments,
}
