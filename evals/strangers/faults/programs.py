"""What the stack and the user's own program do wrong."""

from collections.abc import Callable

from evals.strangers import closing, echoes
from evals.strangers.faults.kinds import BACKWARD, MAIN, STEP, Fault, raised
from evals.strangers.job import Job, Truth

SITE = "/opt/conda/lib/python3.11/site-packages"
LOADER = [
    MAIN,
    ("/workspace/trainer/loop.py", 98, "fit", "for batch in self.loader:"),
    (f"{SITE}/torch/utils/data/dataloader.py", 1465, "_process_data", "data.reraise()"),
    (f"{SITE}/torch/_utils.py", 715, "reraise", "raise exception"),
]
Frames = list[tuple[str, int, str, str]]


def one_raises(category: str, frames: Frames, error: str, reason: str, accept_also: str = "", *, code: int = 1) -> Callable[[Job], Truth]:  # fmt: skip
    """Make the teller of a fault that one rank states as an exception, with the others waiting."""

    def tell(job: Job) -> Truth:
        rank = job.any_rank()
        raised(job, rank, frames, error.format(rank=rank, local=rank % job.per_host, host=job.host(rank)))
        closing.close(job, echoes.others_end(job, job.now + 1, [rank]), rank, code)
        return Truth(category, reason=reason, accept_also=accept_also)

    return tell


def all_raise(category: str, frames: Frames, error: str, reason: str, accept_also: str = "") -> Callable[[Job], Truth]:
    """Make the teller of a fault that every rank states; the first statement is the root, the others do as well."""

    def tell(job: Job) -> Truth:
        ranks = range(min(job.ranks, 32))
        for index, rank in enumerate(job.rng.sample(ranks, len(ranks))):
            raised(job, rank, frames, error, at=job.now + index * 0.05, root=index == 0, also=index > 0)
        closing.close(job, job.now + 8, 0, 1)
        return Truth(category, reason=reason, accept_also=accept_also)

    return tell


def worker(error: str, reason: str, file: str = "/workspace/data/dataset.py", code: str = "return self.rows[index]['text']") -> Callable[[Job], Truth]:  # fmt: skip
    """Make the teller of an exception in a loader's worker, printed again by the process that asked."""

    def tell(job: Job) -> Truth:
        rank = job.any_rank()
        kind = error.split(":", 1)[0].rsplit(".", 1)[-1]
        inner = [
            f"{kind}: Caught {kind} in DataLoader worker process 3.", "Original Traceback (most recent call last):",
            f'  File "{SITE}/torch/utils/data/_utils/worker.py", line 351, in _worker_loop', "    data = fetcher.fetch(index)",
            f'  File "{file}", line 58, in __getitem__', f"    {code}", error,
        ]  # fmt: skip
        outer = ["Traceback (most recent call last):"]
        for name, line, function, source in LOADER:
            outer += [f'  File "{name}", line {line}, in {function}', f"    {source}"]
        job.say(job.now, rank, [*outer, *inner], root=-1, also=(len(outer),))
        closing.close(job, echoes.others_end(job, job.now + 1, [rank]), rank, 1)
        return Truth("script", reason=reason)

    return tell


def cgroup(job: Job) -> Truth:
    rank = job.any_rank()
    if job.dress in ("plain", "srun -l"):
        after = echoes.others_end(job, job.now, [rank])
        job.say(after, -1, [
            f"slurmstepd: error: Detected 1 oom_kill event in StepId={job.number}.0. Some of the step tasks have been OOM Killed.",
            f"srun: error: {job.host(rank)}: task {rank}: Out Of Memory",
        ], root=0, also=(1,))  # fmt: skip
    else:
        job.kernel(job.now, job.host(rank), [
            f"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri,mems_allowed=0-1,oom_memcg=/kubepods/pod{job.number:x},task_memcg=/kubepods/pod{job.number:x}/main,task=python,pid={job.pid(rank)},uid=0",
            f"Memory cgroup out of memory: Killed process {job.pid(rank)} (python) total-vm:91230123kB, anon-rss:67012312kB, file-rss:123kB, shmem-rss:0kB, UID:0 pgtables:131072kB oom_score_adj:998",
        ], root=1)  # fmt: skip
        closing.close(job, echoes.others_end(job, job.now + 1, [rank]), rank, -9)
    return Truth("infrastructure", "node", reason="the job outgrew the memory it was given", restart_helps=False)


def shared_memory(job: Job) -> Truth:
    rank = job.any_rank()
    job.say(job.now, rank, ["ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm)."], root=0)  # fmt: skip
    raised(job, rank, LOADER[:2], f"RuntimeError: DataLoader worker (pid {job.pid(rank) + 91}) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.", at=job.now + 0.2, root=False, also=True)  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 1, [rank]), rank, 1)
    return Truth("framework", reason="shared memory ran out")


def assertion(job: Job) -> Truth:
    rank = job.any_rank()
    line = "/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1553: indexSelectLargeIndex: block: [{},0,0], thread: [{},0,0] Assertion `srcIndex < srcSelectDimSize` failed."  # fmt: skip
    job.say(job.now, rank, [line.format(block, thread) for block in (12, 13) for thread in range(32, 40)], root=0, also=range(16))  # fmt: skip
    raised(job, rank, [MAIN, STEP], "RuntimeError: CUDA error: device-side assert triggered", at=job.now + 0.1, root=False)  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 1, [rank]), rank, 1)
    return Truth("script", reason="an index is out of range on the device")


def mpi_abort(job: Job) -> Truth:
    rank = job.any_rank()
    job.say(job.now, rank, [
        " ===>>> : E R R O R", "         ===========", f" misspelled variable in namelist namrun in input.nml on rank {rank}: nn_itendd",
        "--------------------------------------------------------------------------",
        f"MPI_ABORT was invoked on rank {rank} in communicator MPI_COMM_WORLD", "with errorcode 123.", "",
        "NOTE: invoking MPI_ABORT causes Open MPI to kill all MPI processes.",
        "--------------------------------------------------------------------------",
    ], root=2, also=(0, 4))  # fmt: skip
    return Truth("script", reason="the program's input is wrong")


def arguments(job: Job) -> Truth:
    job.say(job.now, 0, ["usage: train.py [-h] [--config CONFIG] [--lr LR] [--steps STEPS]", "train.py: error: unrecognized arguments: --learning-rate 3e-4"], root=1)  # fmt: skip
    closing.close(job, job.now + 4, 0, 2)
    return Truth("script", reason="an option that the program does not have")


def mismatch(job: Job) -> Truth:
    rank = job.any_rank()
    raised(job, rank, [MAIN, (f"{SITE}/torch/distributed/distributed_c10d.py", 2501, "all_reduce", "work = group.allreduce([tensor], opts)")],
           f"RuntimeError: Detected mismatch between collectives on ranks. Rank {rank} is running collective: CollectiveFingerPrint(SequenceNumber=171, OpType=ALLREDUCE, TensorShape=[4096], TensorDtypes=Float), but Rank 0 is running collective: CollectiveFingerPrint(SequenceNumber=171, OpType=BARRIER).")  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 1, [rank]), rank, 1)
    return Truth("framework", reason="collectives do not match")


def remote_task(job: Job) -> Truth:
    rank = job.any_rank()
    raised(job, rank, [MAIN, ("/workspace/data/prepare.py", 19, "load", "with open(manifest) as file:")], "FileNotFoundError: [Errno 2] No such file or directory: '/mnt/corpus/manifest.json'")  # fmt: skip
    job.say(job.now + 1, -1, [
        "Traceback (most recent call last):", '  File "/workspace/launch.py", line 44, in <module>', "    result = trainer.fit()",
        f"ray.exceptions.RayTaskError(FileNotFoundError): ray::_RayTrainWorker__execute.get_next() (pid={job.pid(rank)}, ip={job.address(rank)}, actor_id=4a1c01000000)",
        '  File "/workspace/data/prepare.py", line 19, in load', "    with open(manifest) as file:",
        "FileNotFoundError: [Errno 2] No such file or directory: '/mnt/corpus/manifest.json'",
    ], also=(3, 6))  # fmt: skip
    closing.close(job, job.now + 3, rank, 1)
    return Truth("script", reason="a file is not there")


def nan_guard(job: Job) -> Truth:
    for rank in range(min(job.ranks, 8)):
        job.say(job.now + rank * 0.01, rank, ["Loss is nan, stopping training", "{'loss_cls': nan, 'loss_box': 0.2131}"], root=0 if not rank else None, also=(0,) if rank else ())  # fmt: skip
    closing.close(job, job.now + 4, 0, 1)
    return Truth("script", reason="the loss is not a number")


OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.91 GiB. GPU {local} has a total capacity of 79.11 GiB of which 2.44 GiB is free. Process 81231 has 76.66 GiB memory in use."  # fmt: skip
FAULTS = (
    Fault("cgroup", "infrastructure", cgroup, dresses=("plain", "srun -l", "kubectl prefix", "cri")),
    Fault("shared_memory", "framework", shared_memory, ("torch",)),
    Fault("mismatch", "framework", mismatch, ("torch",)),
    Fault("cuda_oom", "framework", one_raises("framework", [MAIN, STEP, BACKWARD], OOM, "the GPU's memory ran out"), ("torch",)),
    Fault("xla_oom", "framework", all_raise("framework", [MAIN, STEP], "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 18.00G. That was not possible. There are 11.21G free.; (0x0x0_HBM0)", "the device's memory ran out"), ("jax",)),
    Fault("tf_oom", "framework", one_raises("framework", [MAIN, STEP], "tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error: OOM when allocating tensor with shape[64,4096,4096] and type float on /job:worker/replica:0/task:{rank}/device:GPU:0 by allocator GPU_0_bfc", "the GPU's memory ran out"), ("tf",)),
    Fault("inplace", "framework", one_raises("framework", [MAIN, STEP, BACKWARD], "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.FloatTensor [128, 512]], which is output 0 of AsStridedBackward0, is at version 3; expected version 2 instead.", "autograd found a change in place"), ("torch",)),
    Fault("unused", "framework", all_raise("framework", [MAIN, STEP], "RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that your module has parameters that were not used in producing loss.", "DDP found unused parameters"), ("torch",)),
    Fault("no_image", "framework", all_raise("framework", [MAIN, STEP], "torch.AcceleratorError: CUDA error: no kernel image is available for execution on the device", "the build has no code for this GPU"), ("torch",), early=True),
    Fault("symbol", "framework", all_raise("framework", [MAIN, ("/workspace/model/attention.py", 4, "<module>", "import flash_attn_2_cuda as flash_attn_gpu")], "ImportError: /opt/conda/lib/python3.11/site-packages/flash_attn_2_cuda.cpython-311-x86_64-linux-gnu.so: undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationESs", "extensions that do not fit"), ("torch",), early=True),
    Fault("triton", "framework", one_raises("framework", [MAIN, STEP], "torch._inductor.exc.InductorError: RuntimeError: Internal Triton PTX codegen error: ptxas /tmp/tmpq1.ptx, line 411; error   : Feature '.bf16' requires .target sm_80 or higher", "a compiler back end failed", "script"), ("torch",)),
    Fault("key_in_worker", "script", worker("KeyError: 'text'", "a row lacks a field"), ("torch",)),
    Fault("json_in_worker", "script", worker("json.decoder.JSONDecodeError: Expecting ',' delimiter: line 1 column 40122 (char 40121)", "a data file is broken", code="return json.loads(line)"), ("torch",)),
    Fault("assertion", "script", assertion, ("torch",)),
    Fault("mpi_abort", "script", mpi_abort, ("mpi",), ("ompi tag", "ompi tag time", "lsf", "pbs", "plain"), early=True),
    Fault("arguments", "script", arguments, early=True),
    Fault("remote_task", "script", remote_task, ("torch",), ("ray",), early=True),
    Fault("nan_guard", "script", nan_guard, ("torch",)),
    Fault("sizes", "script", all_raise("script", [MAIN, (f"{SITE}/torch/nn/modules/module.py", 2584, "load_state_dict", "raise RuntimeError(")], "RuntimeError: Error(s) in loading state_dict for GPT: size mismatch for embed.weight: copying a param with shape torch.Size([50304, 4096]) from checkpoint, the shape in current model is torch.Size([50257, 4096]).", "the checkpoint does not fit the model"), ("torch",), early=True),
    Fault("module", "script", all_raise("script", [("/workspace/train.py", 9, "<module>", "import sentencepiece as spm")], "ModuleNotFoundError: No module named 'sentencepiece'", "a module is missing"), early=True),
    Fault("port", "script", one_raises("script", [MAIN, ("/workspace/train.py", 31, "setup", "dist.init_process_group('nccl')")], "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use", "the port is in use"), ("torch",), early=True),
    Fault("rights", "script", one_raises("script", [MAIN, ("/workspace/trainer/checkpoint.py", 52, "save", "os.makedirs(folder)")], "PermissionError: [Errno 13] Permission denied: '/project/shared/ckpt'", "rights are missing")),
    Fault("gated", "script", one_raises("script", [MAIN, ("/workspace/model/load.py", 12, "load", "AutoConfig.from_pretrained(name)")], "OSError: You are trying to access a gated repo. Make sure to have access to it at https://huggingface.co/base. 401 Client Error. Cannot access gated repo for url https://huggingface.co/base/resolve/main/config.json.", "rights to a model are missing"), ("torch", "jax"), early=True),
    Fault("shapes_jax", "script", all_raise("script", [MAIN, STEP], "TypeError: dot_general requires contracting dimensions to have the same shape, got (4096,) and (2048,).", "shapes do not fit"), ("jax",)),
    Fault("shapes_tf", "script", one_raises("script", [MAIN, STEP], "tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error: Incompatible shapes: [32,10] vs. [32,12]", "shapes do not fit"), ("tf",)),
    Fault("index", "script", one_raises("script", [MAIN, STEP], "IndexError: list index out of range", "an index is out of range"), ("torch", "jax", "tf")),
    Fault("archive", "script", all_raise("script", [MAIN, (f"{SITE}/torch/serialization.py", 1425, "load", "with _open_zipfile_reader(opened_file) as opened_zipfile:")], "RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory", "the checkpoint is cut", "infrastructure|framework"), ("torch",), early=True),
)  # fmt: skip
