"""Count nodes and processes as the launchers settle them; what they leave to the run stays unknown."""

from schedmate.knowledge.launchers import is_batch, is_wrapper, launchers
from schedmate.readers.code.launchers.batch_requests import gpus_asked
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.option_counts import whole_number
from schedmate.readers.code.values.value import Value, join_spots, product
from schedmate.readers.code.values.whole_numbers import whole_count


def started_in_ranks(launch: Launch) -> bool:
    """Tell whether the program is one of several processes that a launcher, or a program like one, starts."""
    if launch.many is not None:
        return True
    starters = [name for name, _ in launch.launchers if name in launchers() and not is_wrapper(name)]
    return launch.ranks and not all(is_batch(name) for name in starters)


def node_count(launch: Launch) -> Value | None:
    """Give the number of nodes."""
    if launch.nodes is not None:
        return launch.nodes
    spread = nodes_of_processes(launch)
    if spread is not None:
        return spread
    if "nodes" in launch.asked:
        return whole_number(str(launch.asked["nodes"].data), launch.asked["nodes"].src)
    tasks, per_node = launch.asked.get("ntasks"), launch.asked.get("ntasks_per_node")
    if tasks is not None and per_node is not None:
        total, each = whole_count(str(tasks.data)), whole_count(str(per_node.data))
        if total is not None and each is not None:
            return Value(-(-total // max(1, each)), join_spots(tasks, per_node))
    return Value(1, tasks.src) if tasks is not None and str(tasks.data) == "1" else None


def machines_asked(launch: Launch, nodes: Value | None) -> Value | None:
    """Give the number of machines for which GPUs are asked; None where a launcher is told it at run time alone."""
    if nodes is None or type(nodes.data) is int:
        return nodes or Value(1)
    asked = launch.asked.get("nodes")
    return whole_number(str(asked.data), asked.src) if asked is not None else None


def nodes_of_processes(launch: Launch) -> Value | None:
    """Divide the processes in all by those of a node, where a launcher is told both."""
    total, each = launch.total, launch.per_node
    if total is None or each is None or type(total.data) is not int or type(each.data) is not int or each.data < 1:
        return None
    return Value(-(-total.data // each.data), join_spots(total, each))


def counts_one_node(launch: Launch, nodes: Value | None) -> bool:
    """Tell a launcher whose processes are the GPUs of one node, though several nodes are asked for to start it."""
    several = launch.nodes is None and nodes is not None and isinstance(nodes.data, int) and nodes.data > 1
    gpus = gpus_asked(launch.asked) if several and launch.total is not None else None
    return gpus is not None and launch.total is not None and gpus.data == launch.total.data


def process_count(launch: Launch, nodes: Value | None) -> Value | None:
    """Give the number of processes over all nodes; None where the launchers do not settle it."""
    if not started_in_ranks(launch):
        return None
    if launch.total is not None:
        return launch.total if not counts_one_node(launch, nodes) else product(launch.total, nodes)
    if launch.per_node is not None:
        return launch.per_node if nodes is None else product(launch.per_node, nodes)
    asked = launch.asked
    if [name for name, _ in launch.launchers if not is_wrapper(name)][-1:] == ["srun"]:
        if "ntasks" in asked:
            return whole_number(str(asked["ntasks"].data), asked["ntasks"].src)
        if "ntasks_per_node" in asked:
            return product(whole_number(str(asked["ntasks_per_node"].data), asked["ntasks_per_node"].src), nodes)
        if nodes is not None and isinstance(nodes.data, int):
            return nodes
    return None
