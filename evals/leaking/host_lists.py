"""How Slurm, PBS, LSF and launchers write lists of hosts, which `anonymize` should hide besides secrets."""

import random
from collections.abc import Iterator

BIRDS = ("kestrel", "merlin", "osprey", "harrier", "plover", "dunlin", "avocet", "godwit")


def stem_of(rng: random.Random) -> str:
    """Make what the hosts of a cluster have in common."""
    return rng.choice(BIRDS) + rng.choice(("", "-", "-a100-", "-r3n", "b", ".gpu-"))


def host_lists(seed: int) -> Iterator[tuple[str, str, str]]:
    """Give (form, text, what must not stay): the hosts' stem, which is in all of them."""
    rng = random.Random(seed)
    for form, text in forms(rng):
        stem, wide = stem_of(rng), rng.choice((1, 2, 3, 4))
        first = rng.randrange(1, 10**wide - 3) if wide > 1 else rng.randrange(1, 6)
        one, two, three = (str(first + n).zfill(wide) for n in range(3))
        names = {"a": stem + one, "b": stem + two, "c": stem + three}
        spans = {
            "range": f"{stem}[{one}-{three}]",
            "gaps": f"{stem}[{one}-{two},{three}]",
            "some": f"{stem}[{one},{three}]",
        }
        yield form, text.format(**names, **spans, rack=f"{stem}[1-2]n[{one}-{two}]"), stem


def forms(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Give each form with its name; what stands in braces is a host, or several in short."""
    short = rng.choice(("{range}", "{gaps}", "{some}", "{rack}"))
    for name in ("SLURM_JOB_NODELIST", "SLURM_NODELIST", "SLURM_STEP_NODELIST"):
        yield "environment", rng.choice(("", "export ", "+ ")) + f"{name}={short}"
    yield "environment", "SLURM_TOPOLOGY_ADDR={a} SLURMD_NODENAME={a} MASTER_ADDR={a}"
    yield "scontrol job", f"   NodeList={short}\n   BatchHost={{a}}\n   NumNodes=3 NumCPUs=96"
    yield "scontrol job", f"   ReqNodeList={short} ExcNodeList={{c}}"
    yield "scontrol job", f"     Nodes={short} CPU_IDs=0-63 Mem=0 GRES=gpu:h100:8(IDX:0-7)"
    yield "scontrol job", "   AllocNode:Sid={a}:18321"
    yield (
        "scontrol node",
        "NodeName={a} Arch=x86_64 CoresPerSocket=32\n   NodeAddr={a} NodeHostName={a} Version=23.11.4",
    )
    yield "sacct", "918273|train|gpu|RUNNING|3|" + rng.choice(("{range}", "{gaps}"))
    yield "squeue", "  918273  gpu  train  jd  R  1:02  3 " + rng.choice(("{range}", "{gaps}", "{rack}"))
    yield "json", f'{{{{"job_id": 918273, "nodes": 3, "node_list": "{short}"}}}}'
    yield "options", f"+ srun --nodes=3 -w {short} --exclude={{c}} python train.py"
    yield "options", "#SBATCH --nodelist={a},{b},{c}"
    yield "options", "mpirun -np 24 -H {a}:8,{b}:8,{c}:8 python train.py"
    yield "options", "horovodrun -np 24 -H {a}:8,{b}:8 python train.py"
    yield "options", 'deepspeed --include="{a}@{b}:0,2" train.py'
    yield "options", "torchrun --nnodes=3 --rdzv_endpoint={a}:29500 train.py"
    yield "commas", "hosts: {a},{b},{c}"
    yield "commas", "hosts=['{a}', '{b}', '{c}']"
    yield "commas", "running on {a}\nleft over: {a},{b},{c}"
    yield "launchers", "WORLD INFO DICT: {{'{a}': [0, 1, 2, 3], '{b}': [0, 1, 2, 3]}}"
    yield "pbs", "    exec_host = {a}/0*8+{b}/0*8\n    exec_vnode = ({a}:ncpus=8:ngpus=4)+({b}:ncpus=8)"
    yield "lsf", 'LSB_HOSTS="{a} {a} {b} {b}"'
    yield "lsf", 'LSB_MCPU_HOSTS="{a} 8 {b} 8"'
