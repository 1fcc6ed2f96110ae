"""How many devices an option names, and how many one process may see."""

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.launchers.slurm import gpus_per_node
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.value import Value


def visible_gpus(view: View) -> Value | None:
    """Give the GPUs that one node's process may see: what the program sets itself, else what the launch says."""
    return view.run.facts.get("visible") or gpus_per_node(view.launch)


def takes_all(view: View) -> bool:
    """Tell a program that works on every device that it sees; one that only counts them, where not all was seen."""
    signs = view.run.about(ProcessSigns)
    return signs.takes_all or (signs.counts_devices and (view.is_partial or not view.program.complete))


def count_devices(devices: Value | None) -> int | None:
    """Read `4`, `[0, 1]`, `"0,1"`; None for all that are visible."""
    if devices is None or isinstance(devices.data, bool):
        return None
    if isinstance(devices.data, int):
        return devices.data if devices.data > 0 else None
    if isinstance(devices.data, (list, tuple)):
        return len(devices.data) or None
    if isinstance(devices.data, str):
        if devices.data.isdigit():
            return int(devices.data)
        parts = [part for part in devices.data.split(",") if part.strip().isdigit()]
        return len(parts) if len(parts) > 1 or (devices.data.rstrip().endswith(",") and parts) else None
    return None
