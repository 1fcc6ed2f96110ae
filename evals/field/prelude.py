"""What a healthy job prints before its first step."""

from evals.field.job import Job
from evals.field.stage import Stage

WARNINGS = (
    "/opt/conda/lib/python3.11/site-packages/torch/utils/checkpoint.py:91: UserWarning: None of the inputs have requires_grad=True. Gradients will be None",
    "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded, please further tune the variable for optimal performance in your application as needed. ",
    "[W socket.cpp:464] [c10d] The client socket has failed to connect to [localhost]:29500 (errno: 99 - Cannot assign requested address).",
    "WARNING: infoROM is corrupted at gpu 0000:47:00.0",
    "ERROR: ld.so: object '/usr/lib/libtcmalloc.so.4' from LD_PRELOAD cannot be preloaded (cannot open shared object file): ignored.",
    "E0000 00:00:1741003212.123456    1234 cuda_dnn.cc:8310] Unable to register cuDNN factory: Attempting to register factory for plugin cuDNN when one has already been registered",
    "fatal: not a git repository (or any of the parent directories): .git",
    "libibverbs: Warning: couldn't load driver 'libvmw_pvrdma-rdmav34.so': libvmw_pvrdma-rdmav34.so: cannot open shared object file: No such file or directory",
    "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed. This behaviour is the source of the following dependency conflicts.",
    "/bin/sh: 1: module: not found",
    "huggingface/tokenizers: The current process just got forked, after parallelism has already been used. Disabling parallelism to avoid deadlocks...",
    "FutureWarning: `torch.cuda.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cuda', args...)` instead.",
    "tput: No value for $TERM and no -T specified",
    "bash: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)",
    "apex is not installed; falling back to torch's LayerNorm",
)
OPTIONS = (
    ("abort_on_nan", "False"), ("accumulate", "4"), ("adam_eps", "1e-08"), ("attention_dropout", "0.0"), ("batch_size", "8"),
    ("bf16", "True"), ("checkpoint_timeout_s", "1800"), ("data_path", "/data/corpus/train"), ("dataloader_num_workers", "6"),
    ("ddp_timeout", "1800"), ("error_bad_lines", "False"), ("eval_interval", "1000"), ("exit_on_missing_checkpoint", "False"),
    ("fail_fast", "True"), ("fp16", "False"), ("grad_clip", "1.0"), ("hidden_size", "4096"), ("ignore_errors", "False"),
    ("kill_switch_path", "None"), ("loss_scale", "None"), ("lr", "0.0003"), ("max_restarts", "0"), ("nccl_timeout_min", "10"),
    ("num_layers", "32"), ("oom_score_adj", "0"), ("retries", "5"), ("seed", "1234"), ("tensor_parallel", "4"),
    ("warmup_steps", "2000"), ("weight_decay", "0.1"), ("zero_stage", "1"),
)  # fmt: skip


def tell_prelude(stage: Stage, began: float) -> float:
    """Start the processes; give the time of the first step."""
    job, rng = stage.job, stage.job.rng
    at = began + 2
    for _ in range(rng.randrange(2, 7)):
        loud = rng.choice(WARNINGS)
        for rank in range(job.ranks) if rng.random() < 0.2 else (0,):
            stage.say(at + rng.random(), rank, [loud])
    at += 4
    if rng.random() < 0.6:
        stage.say(at, 0, [f"  {name:.<34} {value}" for name, value in OPTIONS], stream="out")
    for rank in range(job.ranks) if rng.random() < 0.4 else range(0, job.ranks, job.per_host):
        stage.say(
            at + 1 + rng.random(), rank,
            [f"| distributed init (rank {rank}): env://, gpu {job.local(rank)}, world {job.ranks}"], stream="out",
        )  # fmt: skip
    at += 6
    if rng.random() < 0.7:
        at = start_nccl(stage, at)
    stage.say(at, 0, model_lines(job), stream="out")
    stage.say(
        at + 3, 0, [f"loading shard {i}/12: /data/corpus/train-{i:05d}.bin ... done" for i in range(12)], stream="out"
    )
    return at + 12


def start_nccl(stage: Stage, at: float) -> float:
    """Let NCCL introduce itself on as many ranks as the size of the log bears."""
    job, rng = stage.job, stage.job.rng
    channels = rng.choice((2, 4, 8))
    loud = range(0, job.ranks, max(1, job.ranks * (channels + 6) * 4 // job.size))
    for rank in loud:
        head = f"{job.host(rank)}:{job.pid(rank)}:{job.pid(rank) + 3} [{job.local(rank)}] NCCL INFO"
        after = (rank + 1) % job.ranks
        stage.say(at + rng.random() * 5, rank, [
            f"{head} Bootstrap : Using eth0:{job.address(job.host(rank))}<0>",
            f"{head} NET/Plugin: No plugin found (libnccl-net.so)",
            f"{head} Failed to open libibverbs.so[.1]" if job.number % 5 == 0 else f"{head} NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_2:1/IB [3]mlx5_3:1/IB [RO]; OOB eth0:{job.address(job.host(rank))}<0>",
            f"{head} Setting affinity for GPU {job.local(rank)} to ffffffff,ffff0000",
            *(f"{head} Channel {c:02d}/0 : {rank}[{job.local(rank)}] -> {after}[{job.local(after)}] via P2P/CUMEM/read" for c in range(channels)),
            f"{head} Connected all rings",
            f"{head} comm 0x55d0c8{rank:06x} rank {rank} nranks {job.ranks} cudaDev {job.local(rank)} nvmlDev {job.local(rank)} busId {job.bus(rank)}000 commId 0x{job.number:016x} - Init COMPLETE",
        ])  # fmt: skip
    return at + 8


def model_lines(job: Job) -> list[str]:
    """Describe the model, briefly or at length."""
    if job.number % 3:
        return [
            f"number of parameters on (tensor, pipeline) model parallel rank (0, 0): {job.number * 977}",
            "building train, validation, and test datasets ...",
        ]
    block = [
        "    (self_attn): Attention(",
        "      (q_proj): Linear(in_features=4096, out_features=4096, bias=False)",
        "    )",
        "    (error_head): Linear(in_features=4096, out_features=2, bias=True)",
    ]
    return ["Transformer(", "  (layers): ModuleList(", *block * 8, "  )", ")"]


def tell_preparation(stage: Stage, at: float, lines: int) -> float:
    """Prepare data at length, before anything trains; give the time of the end."""
    took = stage.job.rng.uniform(0.05, 2)
    for index in range(lines):
        stage.say(
            at + index * took,
            0,
            [f"[prepare] document {index * 1000}: {index * 1_204_991} tokens, {index % 7} skipped, 0 errors"],
            stream="out",
        )
    return at + lines * took + 1
