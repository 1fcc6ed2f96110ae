"""How many GPUs and nodes: from launchers, from trainers, from what the program itself starts."""

import sys

import re2

from schedmate.knowledge.accelerators import accelerators_in
from schedmate.knowledge.code_words import words
from schedmate.knowledge.launchers import is_batch, launchers
from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.readers.code.evidence.device_counts import takes_all, visible_gpus
from schedmate.readers.code.evidence.placed_parts import LABEL as PLACED
from schedmate.readers.code.evidence.placed_parts import placed_parts
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.devices.devices import device_of, places_named
from schedmate.readers.code.fields.devices.loops_elsewhere import lies_elsewhere
from schedmate.readers.code.fields.devices.strategies import spreading, told_devices
from schedmate.readers.code.frameworks.lightning import trainers
from schedmate.readers.code.frameworks.transformers import trainer_arguments
from schedmate.readers.code.launchers.batch_requests import gpus_asked, gpus_per_node
from schedmate.readers.code.launchers.settled_counts import machines_asked, node_count, process_count, started_in_ranks
from schedmate.readers.code.signs.facts import ProcessSigns, TrainingSigns
from schedmate.readers.code.values.value import COMMAND, Unknown, Value, join_spots, mapping_of

OTHER_HOSTS = frozenset(
    [
        "H",
        "host",
        "hosts",
        "hostfile",
        "machinefile",
        "rankfile",
        "hostlist",
        "host-discovery-script",
        "min-np",
        "min_np",
    ]
)
"""Options by which launchers of MPI's kind send processes to other machines, without a count of these."""


def from_starts(view: View) -> None:
    """Count what launchers start, else what the program starts itself, else what it is given."""
    nodes = node_count(view.launch)
    total = process_count(view.launch, nodes)
    spawns = view.run.about(ProcessSigns).starts is not None
    one_a_node = total is not None and total.data == (nodes.data if nodes is not None else 1)
    if started_in_ranks(view.launch) and not (spawns and one_a_node):
        from_launcher(view, nodes, total)
    elif spawns:
        from_spawn(view, nodes)


def starts_nothing(view: View) -> bool:
    """Tell a program of which neither a launcher nor it itself starts several processes."""
    return not started_in_ranks(view.launch) and view.run.about(ProcessSigns).starts is None


def from_launcher(view: View, nodes: Value | None, total: Value | None) -> None:
    """Count the processes that the launchers start, one a GPU."""
    if total is not None and isinstance(total.data, int):
        view.keep("num_gpus", total.data, total.src, "one process a GPU")
    else:
        gpus = gpus_per_node(view.launch)
        if gpus is not None and view.launch.asked:
            times = machines_asked(view.launch, nodes)
            if times is not None:
                view.keep("num_gpus", gpus.data * times.data, join_spots(gpus, times), "GPUs asked for")
        view.rule_out("num_gpus")


def from_spawn(view: View, nodes: Value | None) -> None:
    """Count the processes that the program starts itself."""
    signs = view.run.about(ProcessSigns)
    count, machines, size = signs.started, signs.machines, signs.group_size
    per_node = count if count is not None and isinstance(count.data, int) else None
    if machines is not None and isinstance(machines.data, int) and (nodes is None or nodes.data == 1):
        view.number("num_nodes", machines)
    elif size is not None and per_node is not None and size.data > per_node.data > 0 == size.data % per_node.data:
        view.keep("num_nodes", size.data // per_node.data, join_spots(size, per_node), "processes that join / of each")
    if per_node is not None and per_node.data > 0:
        times = view.get("num_nodes") or (nodes.data if nodes is not None and isinstance(nodes.data, int) else 1)
        view.keep("num_gpus", per_node.data * times, per_node.src, "processes that the program starts")
    gpus = gpus_per_node(view.launch)
    if gpus is not None:
        times = nodes.data if nodes is not None and isinstance(nodes.data, int) else 1
        view.keep("num_gpus", gpus.data * times, gpus.src)
    view.rule_out("num_gpus")


def from_group(view: View) -> None:
    """Count the processes that the program says work together, where it starts them itself."""
    size = view.run.about(ProcessSigns).group_size
    if starts_nothing(view) and size is not None and (size.data > 1 or (size.data == 1 and device_of(view) == "one")):
        view.keep("num_gpus", size.data, size.src, "processes that join, one a GPU")


def from_options(view: View) -> None:
    """Take how many GPUs the command or its configuration gives a program that spreads over them by itself."""
    if not starts_nothing(view):
        return
    nodes = chosen_count(view, "nodes") if may_span_machines(view) else None
    per_node = chosen_count(view, "gpus_per_node")
    total = chosen_count(view, "num_gpus")
    if nodes is not None and (per_node is not None or nodes.data > 1):
        view.number("num_nodes", nodes)
    if per_node is not None and (nodes is not None or view.option("nodes") is None):
        times = nodes or Value(1)
        view.keep("num_gpus", per_node.data * times.data, join_spots(per_node, times), "nodes x GPUs of each")
    elif total is not None and per_node is None:
        view.keep("num_gpus", total.data, total.src)


def chosen_count(view: View, field_name: str) -> Value | None:
    """Give a count that the command or a configuration chose; a default in the code says little."""
    value = view.option(field_name)
    if value is None or type(value.data) is not int or value.data < 1 or not value.src:
        return None
    path = value.src[0].path
    if path.endswith(".py") and value.data == 1:
        return None  # with what a program begins to count; it may put nothing on that one
    return value if path == COMMAND or not path.endswith(".py") or path in view.program.command else None


def find_nodes(view: View) -> None:
    """Give the number of nodes; a command that names none runs on one."""
    nodes = node_count(view.launch)
    if nodes is not None:
        if isinstance(nodes.data, int):
            view.keep("num_nodes", nodes.data, nodes.src)
        view.rule_out("num_nodes")
        return
    count = process_count(view.launch, None)
    names = [name for name, _ in view.launch.launchers] if count is None or count.data != 1 else []
    elsewhere = view.launch.asked or any(key.partition(".")[2] in OTHER_HOSTS for key in view.launch.options)
    spreads = {"mpirun", "mpiexec", "srun"}.intersection(names) and not has_one_place(view)
    if (spreads and (elsewhere or not stays_here(view, count))) or ("horovodrun" in names and elsewhere):
        view.rule_out("num_nodes")
        return
    rows = (launchers()[name] for name, _ in view.launch.launchers if name in launchers())
    if any(row.get("anywhere", False) for row in rows):
        view.rule_out("num_nodes")
    for name, spot in view.launch.launchers:
        view.keep("num_nodes", 1, (spot,), f"{name} starts on one node unless something else is said")
    hidden = any(key in view.launch.environment for key in ("SLURM_NNODES", "WORLD_SIZE", "NNODES"))
    if not hidden and not meets_slice(view) and not reads_cluster(view):
        view.keep("num_nodes", 1, view.command_spot, "one process on one node")


MOST_OF_A_NODE = 8
"""More processes, one a GPU, than one machine usually has."""
HEADERS = ("#SBATCH", "#PBS", "#BSUB", "#$ -", "#COBALT", "#FLUX")


def stays_here(view: View, count: Value | None) -> bool:
    """Tell a few processes that MPI starts outside of any batch system and is told no hosts for: they are local."""
    names = {name for name, _ in view.launch.launchers}
    few = count is not None and type(count.data) is int and count.data <= MOST_OF_A_NODE
    if not few or "srun" in names or any(is_batch(name) for name in names):
        return False
    told = ("hostfile", "machinefile", "H", "f", "map_by", "rankfile")
    if any(f"mpirun.{option}" in view.launch.options for option in told):
        return False
    texts = (view.run.repository.glimpse(script) for script in view.launch.scripts)
    return not any(mark in text for text in texts for mark in HEADERS)


def has_one_place(view: View) -> bool:
    """Tell a job of Slurm that asks for neither nodes nor tasks nor several GPUs: it gets one task on one node."""
    asked = view.launch.asked
    gpus = gpus_asked(asked) if "gpus" in asked else None
    submitted = any(name == "sbatch" for name, _ in view.launch.launchers)
    if {"nodes", "ntasks", "ntasks_per_node"}.intersection(asked):
        return False
    return (submitted and "gpus" not in asked) or (gpus is not None and gpus.data == 1)


def reads_cluster(view: View) -> bool:
    """Tell a program that joins others by what it is told at run time."""
    for mapping in view.namespaces if may_span_machines(view) else ():
        for key in ("num_nodes", "nnodes", "num_machines"):
            value = mapping.get(key)
            if value is not None and isinstance(value.data, int) and value.data > 1:
                view.number("num_nodes", value)
                return True
    return view.run.about(ProcessSigns).ray is not None


def meets_slice(view: View) -> bool:
    """Tell a program of JAX that always meets the others of a slice of TPUs or of a cluster, which tells it of them."""
    calls = [event for event in view.of("jax.", "initialize") if event.sure and ".distributed." in event.name]
    counts = [event.arg(1, "num_processes") for event in calls]
    return any(count is None or count.data != 1 for count in counts)


def may_span_machines(view: View) -> bool:
    """Tell a program that works with others, or of which a part was not seen; elsewhere nodes are those of a graph."""
    signs = view.run.about(ProcessSigns)
    joins = any(one is not None for one in (signs.joins, signs.starts, signs.ray, signs.wraps))
    spreads = bool(view.once(trainers)) or view.once(trainer_arguments) is not None or bool(spreading(view))
    counts = any(view.option(name) is not None for name in ("gpus_per_node", "num_gpus"))
    return joins or spreads or counts or view.is_partial


def asks_openly(view: View) -> bool:
    """Tell a command that sets the number of devices by a variable that is not set here."""
    said = [value for name, value in view.told.items() if field_of_name().get(squashed(name), ("", 0))[0] == "num_gpus"]
    return any(isinstance(value.data, Unknown) for value in said)


def leaves_work_out(view: View) -> bool:
    """Tell a job whose evaluation is all its work and was not followed: it may spread over more devices."""
    passed = view.run.about(TrainingSigns).uses_model is not None and not view.run.follows_use
    return view.get("is_training") is False and passed


def was_not_seen(view: View) -> bool:
    """Tell a job whose work may be spread out of sight: by a library, by settings that are not here."""
    return leaves_work_out(view) or view.launch.absent is not None or lies_elsewhere(view)


def one_place(view: View) -> Value | None:
    """Give the device on which a loaded model is put as a whole: `device_map={"": 0}`."""
    maps = [mapping_of(event.kwargs.get("device_map")) for event in view.ending("from_pretrained") if event.sure]
    places = [place for one in maps for place in one.values()]
    return places[0] if {str(place.data) for place in places} in ({"0"}, {"cuda:0"}) else None


def many_ways(view: View) -> bool:
    """Tell a program that spreads its work in another way, too."""
    return any(label != PLACED for _, label in spreading(view)) or takes_all(view)


def find_single(view: View) -> None:
    """Count the devices of a program that is one process: none, one, or whatever is visible."""
    visible = visible_gpus(view)
    many = bool(spreading(view))
    takes_many = view.once(trainer_arguments) is not None or takes_all(view)
    threads = told_devices(view)
    if threads is not None and (visible is None or len(threads.data) < visible.data) and not takes_many:
        if not asks_openly(view):
            view.keep("num_gpus", len(threads.data), threads.src or view.command_spot, "the devices that it is given")
        return
    parts = view.once(placed_parts)
    if parts is not None and not many_ways(view):
        spots = tuple(event.spot for event in parts.events)
        view.keep("num_gpus", len(parts.devices), spots, "the devices on which its parts are put")
        return
    placed = one_place(view)
    if placed is not None:
        view.keep("num_gpus", 1, placed.src, "the whole model is put on this device")
        return
    if many or takes_many or any(event.short == "DataParallel" for event in view.events):
        if visible is not None:
            view.keep("num_gpus", visible.data, visible.src)
        return
    device = device_of(view)
    spots = view.values["device"].spots if "device" in view.values else view.command_spot
    if device == "cpu" and view.get("is_training") is not None:
        view.keep("num_gpus", 0, spots, "runs on the CPU")
    elif device == "one" and view.get("is_training") is not None and not was_not_seen(view):
        view.keep("num_gpus", 1, spots, "one process, one device")
    view.values.pop("device", None)


CPU_NODES = frozenset(words("processes.cpu_nodes"))

ALTERNATIVES = re2.compile(r"[|,]|\*[0-9]")
"""Features that are not those of every node: one or the other, or so many nodes of a kind."""


def on_plain_nodes(view: View) -> None:
    """Count no GPU on nodes that have none, by the features or the partition that are asked for."""
    asked = view.launch.asked
    if gpus_asked(asked) is not None:
        return
    features, place = (str(asked[name].data).lower() if name in asked else "" for name in ("constraint", "partition"))
    if any("gpu" in text or accelerators_in(text) for text in (features, place)) or ALTERNATIVES.search(features):
        return  # of several kinds of nodes, some may have GPUs
    wanted = set(features.replace("&", " ").replace("*", " ").split())
    parts = set(place.replace("-", " ").replace("_", " ").split()) if "," not in place else set()
    told = "constraint" if wanted & CPU_NODES else "partition" if parts & CPU_NODES else ""
    if told and not any(place == "one" for event in view.events if event.sure for place, _ in places_named(event)):
        view.keep("num_gpus", 0, asked[told].src, "nodes without GPUs")


def find_given(view: View) -> None:
    """Count one GPU where a single process on one node is given no more, whatever it would do with others."""
    gpus = gpus_per_node(view.launch) if view.launch.asked else None
    alone = starts_nothing(view) and view.get("num_nodes") == 1 and not view.run.about(ProcessSigns).commands
    if gpus is not None and gpus.data == 1 and alone and view.get("is_training") is not None:
        view.keep("num_gpus", 1, gpus.src, "the one GPU that is asked for")


PLAIN = frozenset(words("libraries.plain")) | sys.stdlib_module_names
"""Libraries that compute on no GPU; of any other it is not known."""


def without_network(view: View) -> None:
    """Count no GPU where the whole path was seen, only such libraries stand on it, and none was asked for."""
    if not view.is_partial and view.imports <= PLAIN and gpus_per_node(view.launch) is None:
        view.keep("num_gpus", 0, view.command_spot, "nothing on the path computes on a GPU")
        view.keep("distributed", "none", view.command_spot, "nothing on the path is spread")
        find_nodes(view)


RULES = (
    Rule(Subject.WITHOUT_NETWORK, "the whole path", without_network),
    Rule(Subject.PROCESSES, "nodes without GPUs", on_plain_nodes),
    Rule(Subject.PROCESSES, "what is started", from_starts),
    Rule(Subject.PROCESSES, "the group that is joined", from_group),
    Rule(Subject.PROCESSES, "options", from_options),
    Rule(Subject.PROCESSES, "launchers' own numbers", find_nodes),
    Rule(Subject.PROCESSES, "the device that one process takes", find_single),
    Rule(Subject.PROCESSES, "the device that is asked for", find_given),
)
