"""Python tracebacks as the frameworks of the day print them."""

import random

from evals.field.job import Job

SITE = (
    "/usr/local/lib/python3.10/dist-packages",
    "/opt/conda/lib/python3.11/site-packages",
    "/opt/venv/lib/python3.12/site-packages",
)
ROOTS = ("/workspace/app", "/home/user/projects/llm", "/lustre/proj/code", "/mnt/code/trainer")

FORWARD = (
    ("torch/nn/modules/module.py", 1739, "_wrapped_call_impl", "return self._call_impl(*args, **kwargs)"),
    ("torch/nn/modules/module.py", 1750, "_call_impl", "return forward_call(*args, **kwargs)"),
    ("torch/nn/parallel/distributed.py", 1643, "forward", "else self._run_ddp_forward(*inputs, **kwargs)"),
)
BACKWARD = (
    ("torch/_tensor.py", 626, "backward", "torch.autograd.backward("),
    ("torch/autograd/__init__.py", 347, "backward", "_engine_run_backward("),
    ("torch/autograd/graph.py", 823, "_engine_run_backward", "return Variable._execution_engine.run_backward("),
)
LOADER = (
    ("torch/utils/data/dataloader.py", 708, "__next__", "data = self._next_data()"),
    ("torch/utils/data/dataloader.py", 1480, "_next_data", "return self._process_data(data)"),
    ("torch/utils/data/dataloader.py", 1505, "_process_data", "data.reraise()"),
    ("torch/_utils.py", 733, "reraise", "raise exception"),
)
SAVE = (
    ("torch/serialization.py", 944, "save", "_save("),
    ("torch/serialization.py", 1214, "_save", "zip_file.write_record(name, storage, num_bytes)"),
)
REDUCE = (
    ("torch/distributed/c10d_logger.py", 81, "wrapper", "return func(*args, **kwargs)"),
    ("torch/distributed/distributed_c10d.py", 2810, "all_reduce", "work = group.allreduce([tensor], opts)"),
)
INIT = (
    ("torch/distributed/distributed_c10d.py", 1714, "init_process_group", "default_pg, _ = _new_process_group_helper("),
    ("torch/distributed/rendezvous.py", 278, "_env_rendezvous_handler", "store = _create_c10d_store("),
)
WHERE = {
    "forward": FORWARD,
    "backward": BACKWARD,
    "loader": LOADER,
    "save": SAVE,
    "reduce": REDUCE,
    "init": INIT,
    "own": (),
}


def traceback(job: Job, rng: random.Random, where: str, *last: str) -> list[str]:
    """Write a traceback that ends in the lines `last`; the exception line is the first of those."""
    root, site = ROOTS[job.number % 4], SITE[job.number % 3]
    lines = ["Traceback (most recent call last):"]
    own = [
        (f"{root}/{job.script}", 180 + job.number % 700, "<module>", "main()"),
        (f"{root}/{job.script}", 90 + job.number % 90, "main", "trainer.fit(model, loader)"),
        (f"{root}/lib/engine.py", rng.randrange(40, 400), "train_one_epoch", "loss = step(batch)"),
    ]
    for path, line, name, code in own[: rng.randrange(2, 4)]:
        lines += [f'  File "{path}", line {line}, in {name}', f"    {code}"]
    for path, line, name, code in WHERE[where]:
        lines += [f'  File "{site}/{path}", line {line}, in {name}', f"    {code}"]
        if rng.random() < 0.4:
            lines.append("    " + "^" * len(code))
    return [*lines, *last]


def of_rank(job: Job, rank: int, lines: list[str]) -> list[str]:
    """Put the prefix that torch gives to the last words of a rank, on jobs with a torch that does so."""
    return [f"[rank{rank}]: {line}" for line in lines] if job.number % 2 and job.launcher != "ray" else lines


def raised(job: Job, rank: int, where: str, *last: str) -> tuple[list[str], int]:
    """Give a rank's traceback and the index of its exception line."""
    lines = of_rank(job, rank, traceback(job, job.rng, where, *last))
    return lines, len(lines) - len(last)
