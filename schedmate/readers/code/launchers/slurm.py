"""What a batch system was asked for: in a script's headers, in options, and in the variables that it sets."""

import re2

from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.values import Spot, Val, join_spots

GPU_RESOURCE = re2.compile(r"(?:gres/)?gpus?(?:[:=]([A-Za-z][\w.\-]*))?(?:[:=](\d+))?")


SLURM_OPTIONS = {
    "-N": "nodes",
    "--nodes": "nodes",
    "-n": "ntasks",
    "--ntasks": "ntasks",
    "--ntasks-per-node": "ntasks_per_node",
    "--tasks-per-node": "ntasks_per_node",
    "--gres": "gres",
    "-G": "gpus",
    "--gpus": "gpus",
    "--gpus-per-node": "gpus_per_node",
    "--gpus-per-task": "gpus_per_task",
    "-C": "constraint",
    "--constraint": "constraint",
    "-J": "name",
    "--job-name": "name",
    "--ntasks-per-gpu": "ntasks_per_gpu",
}


def read_headers(text: str, path: str) -> dict[str, Val]:
    """Read the batch headers of a script: `#SBATCH`, and of PBS and LSF the GPUs and nodes."""
    found: dict[str, Val] = {}
    for line_number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith("#SBATCH"):
            parts = stripped[7:].partition(" #")[0].split()
            for place, part in enumerate(parts):
                key, equals, inline = part.partition("=")
                name = SLURM_OPTIONS.get(key)
                value = inline if equals else parts[place + 1] if place + 1 < len(parts) else ""
                if name is None and len(key) > 2 and key[:2] in SLURM_OPTIONS and not key.startswith("--"):
                    name, value = SLURM_OPTIONS[key[:2]], key[2:]
                if name is not None and value:
                    found[name] = Val(value, (Spot(path, line_number),))
        elif stripped.startswith(("#PBS -l", "#PBS -q")):
            match = re2.search(r"select=(\d+)(?:.*ngpus=(\d+))?", stripped) or re2.search(
                r"nodes=(\d+)(?:.*gpus=(\d+))?", stripped
            )
            if match is not None:
                found["nodes"] = Val(match.group(1), (Spot(path, line_number),))
                if match.group(2):
                    found["gpus_per_node"] = Val(match.group(2), (Spot(path, line_number),))
        elif stripped.startswith("#BSUB -gpu") and (match := re2.search(r"num=(\d+)", stripped)) is not None:
            found["gpus_per_node"] = Val(match.group(1), (Spot(path, line_number),))
        elif stripped and not stripped.startswith("#"):
            break
    return found


def gpus_of(text: str) -> tuple[str, int | None]:
    """Read `gpu:a100:8`, `a100:8`, `gpu:8` or `8`: the kind of GPU and how many."""
    if text.isdigit():
        return "", int(text)
    match = GPU_RESOURCE.search(text)
    if match is not None:
        return str(match.group(1) or ""), int(match.group(2)) if match.group(2) else 1 if ":" not in text else None
    kind, _, count = text.partition(":")
    return kind, int(count) if count.isdigit() else None


def slurm_variables(launch: Launch) -> dict[str, Val]:
    """Give the variables that Slurm sets from what was asked for."""
    slurm = launch.slurm
    found: dict[str, Val] = {}
    for name, variables in {
        "nodes": ("SLURM_NNODES", "SLURM_JOB_NUM_NODES"),
        "ntasks": ("SLURM_NTASKS", "SLURM_NPROCS"),
        "ntasks_per_node": ("SLURM_NTASKS_PER_NODE",),
    }.items():
        if name in slurm:
            found.update(dict.fromkeys(variables, slurm[name]))
    if "nodes" in slurm and "ntasks_per_node" in slurm and "ntasks" not in slurm:
        nodes, tasks = str(slurm["nodes"].data), str(slurm["ntasks_per_node"].data)
        if nodes.isdigit() and tasks.isdigit():
            total = Val(str(int(nodes) * int(tasks)), join_spots(slurm["nodes"], slurm["ntasks_per_node"]))
            found.update({"SLURM_NTASKS": total, "SLURM_NPROCS": total})
    gpus = gpus_per_node(launch)
    if gpus is not None:
        found.update(
            {"SLURM_GPUS_ON_NODE": Val(str(gpus.data), gpus.src), "SLURM_GPUS_PER_NODE": Val(str(gpus.data), gpus.src)}
        )
    return found


def gpus_per_node(launch: Launch) -> Val | None:
    """Give the GPUs of each node, where the batch system was asked for a number."""
    for name in ("gpus_per_node", "gres"):
        if name in launch.slurm:
            _, count = gpus_of(str(launch.slurm[name].data))
            if count:
                return Val(count, launch.slurm[name].src)
    visible = launch.environment.get("CUDA_VISIBLE_DEVICES")
    if visible is not None and isinstance(visible.data, str):
        parts = [part for part in visible.data.split(",") if part.strip()]
        if parts and "$" not in visible.data and visible.data.strip() != "-1":
            return Val(len(parts), visible.src)
    return None
