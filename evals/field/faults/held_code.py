"""Families of the second set: software, programs and ends in words that the first set does not have."""

from evals.field.fallout import killed_along
from evals.field.faults.framework import every_rank, one_rank
from evals.field.faults.kinds import framework, script, stopped
from evals.field.stage import Stage, Truth


def triton_resources(stage: Stage) -> Truth:
    one_rank(
        stage,
        "forward",
        "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 180224, Hardware limit: 101376. Reducing block sizes or `num_stages` may help.",
    )
    return framework("a compiled kernel wants more than the device has")


def xla_memory(stage: Stage) -> Truth:
    one_rank(
        stage,
        "own",
        "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 17179869184 bytes.",
    )
    return framework("device memory ran out under XLA")


def internal_assert(stage: Stage) -> Truth:
    one_rank(
        stage,
        "backward",
        'RuntimeError: expected_autograd_meta INTERNAL ASSERT FAILED at "/pytorch/torch/csrc/autograd/engine.cpp":1204, please report a bug to PyTorch. ',
    )
    return framework("an assertion inside torch failed")


def compiler_back_end(stage: Stage) -> Truth:
    every_rank(
        stage,
        "own",
        "torch._inductor.exc.InductorError: LoweringException: AssertionError: ",
        "  target: aten.view.default",
        "  args[0]: TensorBox(StorageBox(",
    )
    return framework("the compiler could not lower a graph")


def anomaly_found(stage: Stage) -> Truth:
    one_rank(stage, "backward", "RuntimeError: Function 'LogSoftmaxBackward0' returned nan values in its 0th output.")
    return framework("anomaly detection found a gradient that is no number")


def bad_option(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    for count, rank in enumerate(range(0, job.ranks, max(1, job.ranks // 16))):
        stage.say(
            at + count * 0.01,
            rank,
            [
                f"usage: {job.script} [-h] [--lr LR] [--epochs EPOCHS] [--data DATA]",
                f"{job.script}: error: unrecognized arguments: --lr-decay-style cosine",
            ],
            root=1 if count == 0 else None,
        )
        stage.dies(rank, at + 0.2 + count * 0.01, 2)
    killed_along(stage, at + 2)
    return Truth("script", reason="an option that the program does not know", span=2)


def bad_override(stage: Stage) -> Truth:
    every_rank(
        stage,
        "own",
        "hydra.errors.ConfigCompositionException: Could not override 'trainer.max_stepz'.",
        "To append to your config use +trainer.max_stepz=1000",
    )
    return script("an override names an option that is not there")


def broken_json(stage: Stage) -> Truth:
    one_rank(stage, "own", "json.decoder.JSONDecodeError: Expecting ',' delimiter: line 1 column 8841 (char 8840)")
    return script("a record is no valid JSON")


def broken_archive(stage: Stage) -> Truth:
    every_rank(
        stage, "own", "RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory"
    )
    return script("a checkpoint is cut off", accept_also="infrastructure")


def wrong_encoding(stage: Stage) -> Truth:
    one_rank(stage, "own", "UnicodeDecodeError: 'utf-8' codec can't decode byte 0x8b in position 1: invalid start byte")
    return script("a file is not what its name says")


def devices_mixed(stage: Stage) -> Truth:
    one_rank(
        stage,
        "forward",
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:3 and cpu! (when checking argument for argument mat1 in method wrapper_CUDA_addmm)",
    )
    return script("tensors lie on different devices")


def shared_library(stage: Stage) -> Truth:
    every_rank(stage, "own", "OSError: libGL.so.1: cannot open shared object file: No such file or directory")
    return script("a shared library is not installed")


def lsf_run_limit(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    killed_along(stage, at)
    stage.quiet_end = True
    stage.host_says(
        at + 5,
        [
            "User defined signal 2",
            "",
            "------------------------------------------------------------",
            f"Sender: LSF System <lsfadmin@{job.names[0]}>",
            f"Subject: Job {job.number}: <pretrain> in cluster <hpc> Exited",
            "",
            "TERM_RUNLIMIT: job killed after reaching LSF run time limit.",
            "Exited with exit code 140.",
        ],
        root=6,
    )
    return stopped("LSF's run limit was reached")


def pbs_wall_time(stage: Stage) -> Truth:
    stage.host_says(stage.trouble, ["=>> PBS: job killed: walltime 86423 exceeded limit 86400"], root=0)
    killed_along(stage, stage.trouble + 0.5)
    stage.quiet_end = True
    return stopped("PBS's wall time was exceeded")


def deleted_by_person(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    stage.host_says(
        at,
        [
            f"{job.clock(at, '%Y-%m-%dT%H:%M:%SZ')} job-controller: user dana@lab requested deletion of llm-{job.number % 1000}; terminating {job.hosts} pods"
        ],
        root=0,
    )
    killed_along(stage, at + 3)
    stage.quiet_end = True
    return stopped("a person deleted the job")


def ray_stopped(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    stage.host_says(
        at,
        [
            f"{job.clock(at, '%Y-%m-%d %H:%M:%S,%3')}\tINFO job_manager.py:612 -- Job raysubmit_{job.number} was stopped by the user (ray job stop)."
        ],
        root=0,
    )
    killed_along(stage, at + 1)
    stage.quiet_end = True
    return stopped("a person stopped the job")


FAMILIES = [
    (triton_resources, False, ()), (xla_memory, False, ()), (internal_assert, False, ()), (compiler_back_end, True, ()), (anomaly_found, False, ()),
    (bad_option, True, ()), (bad_override, True, ()), (broken_json, False, ()), (broken_archive, True, ()), (wrong_encoding, False, ()), (devices_mixed, False, ()),
    (shared_library, True, ()), (lsf_run_limit, False, ("none",)), (pbs_wall_time, False, ("none",)), (deleted_by_person, False, ("k8s",)), (ray_stopped, False, ("ray",)),
]  # fmt: skip
