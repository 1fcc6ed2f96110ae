"""submitit: what is submitted runs, on the nodes and GPUs that were asked for."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Value, product


def submit_job(call: Call) -> Value | None:
    """Model submitit: what is submitted runs, on the nodes and GPUs that `update_parameters` asked for."""
    target = call.arg(0)
    zero = Value("0", (call.spot,))
    size = call.run.facts.get("world_size")
    variables = {"SLURM_PROCID": zero, "SLURM_LOCALID": zero, "SLURM_NODEID": zero, "SLURM_JOB_ID": zero}
    if size is not None:
        variables["SLURM_NTASKS"] = Value(str(size.data), size.src)
    call.run.environ.update({key: value for key, value in variables.items() if key not in call.run.environ})
    if target is not None:
        call.run.call(target, call.args[1:], call.kwargs, call.spot, call.scope)
    return Value(ExternalResult("submitit.Job", [], {}, call.spot))


def submit_parameters(call: Call) -> Value | None:
    """Keep what a submitit executor asks for."""
    parameters = call.run.about(ProcessSigns).asked
    for name, value in call.kwargs.items():
        parameters[name] = value
        if name in ("slurm_additional_parameters", "additional_parameters") and isinstance(value.data, dict):
            parameters.update({str(key): item for key, item in value.data.items()})
    nodes, tasks = parameters.get("nodes"), parameters.get("tasks_per_node") or parameters.get("ntasks_per_node")
    if (total := product(nodes, tasks)) is not None and tasks is not None:
        call.run.facts["world_size"] = total
        call.run.facts.setdefault("gpus_per_node", tasks)
    return Value(None)


def job_environment(call: Call) -> Value | None:
    """Model `submitit.JobEnvironment()`: seen from the first task."""
    attrs = {name: Value(0, (call.spot,)) for name in ("global_rank", "local_rank", "node")}
    size = call.run.facts.get("world_size")
    if size is not None:
        attrs["num_tasks"] = size
    return Value(ExternalResult(call.name, [], {}, call.spot, attrs=attrs), (call.spot,))


HOOKS: dict[str, Hook] = {"submitit.JobEnvironment": job_environment}
ENDINGS: dict[str, Hook] = {
    **by_names("AutoExecutor.submit SlurmExecutor.submit LocalExecutor.submit", submit_job),
    **by_names("AutoExecutor.update_parameters SlurmExecutor.update_parameters", submit_parameters),
}


def tell_processes(view: View) -> None:
    """Take what the program asks submitit for."""
    asked = view.run.about(ProcessSigns).asked
    nodes = asked.get("nodes") or asked.get("slurm_nodes")
    gpus = asked.get("gpus_per_node") or asked.get("slurm_gpus_per_node")
    tasks = asked.get("tasks_per_node") or asked.get("slurm_ntasks_per_node") or asked.get("slurm_tasks_per_node")
    per_node = gpus if gpus is not None and isinstance(gpus.data, int) else tasks
    view.number("num_nodes", nodes)
    view.number("num_gpus", product(per_node, nodes), "nodes x GPUs per node")


RULES = (Rule(Subject.PROCESSES, "submitit", tell_processes),)
