"""What trainings of many kinds print before anything goes wrong: the prelude, and the reports of steps."""

from collections.abc import Callable

from evals.strangers.job import Job

PRELUDES: dict[str, tuple[str, ...]] = {
    "torch": (
        "NCCL version 2.21.5+cuda12.4",
        "{host}:{pid}:{pid} [{local}] NCCL INFO Bootstrap : Using eth0:{ip}<0>",
        "{host}:{pid}:{tid} [{local}] NCCL INFO NET/Plugin: No plugin found (libnccl-net.so)",
        "{host}:{pid}:{tid} [{local}] NCCL INFO NCCL_IB_TIMEOUT set by environment to 22.",
        "{host}:{pid}:{tid} [{local}] NCCL INFO Channel 00/0 : {rank}[{local}] -> 0[0] via P2P/CUMEM/read",
        "{host}:{pid}:{tid} [{local}] NCCL INFO comm 0x55d0c8a0 rank {rank} nranks {ranks} cudaDev {local} nvmlDev {local} busId 7000 - Init COMPLETE",
        "/opt/conda/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py:4631: UserWarning: No device id is provided via `init_process_group` or `barrier `. Using the current device set by the user.",
        "config: {{'lr': 0.0003, 'max_grad_norm': 1.0, 'nccl_timeout_s': 1800, 'abort_on_nan': False, 'error_budget': 0.01, 'kill_after': None}}",
    ),
    "jax": (
        "I{glog} {pid} distributed.py:106] Connecting to JAX distributed service on {ip}:8476",
        "I{glog} {pid} xla_bridge.py:895] Unable to initialize backend 'cuda': ",
        "I{glog} {pid} xla_bridge.py:895] Unable to initialize backend 'rocm': module 'jaxlib.xla_extension' has no attribute 'GpuAllocatorConfig'",
        "W{glog} {pid} cpp_gen_intrinsics.cc:74] Empty bitcode string provided for eigen. Optimizations relying on this IR will be disabled.",
        "System Information: Jax Version: 0.4.35  Jaxlib Version: 0.4.35  Jax Backend: PJRT C API",
        "Config param checkpoint_period: 10000",
        "Config param enable_goodput_recording: False",
        "Config param fail_on_nan: False",
    ),
    "mpi": (
        " * Reading namelist input.nml",
        "[{host}:{pid}] MCA pml ob1 selected",
        "WARNING: There was an error initializing an OpenFabrics device.",
        " Domain decomposition : {ranks} subdomains",
        " Max. error tolerance  =  1.0E-08",
        " Initialisation finished, entering time loop",
    ),
    "tf": (
        "{clock}.482113: E external/local_xla/xla/stream_executor/cuda/cuda_fft.cc:485] Unable to register cuFFT factory: Attempting to register factory for plugin cuFFT when one has already been registered",
        "{clock}.508271: E external/local_xla/xla/stream_executor/cuda/cuda_blas.cc:1452] Unable to register cuBLAS factory: Attempting to register factory for plugin cuBLAS when one has already been registered",
        "{clock}.712004: W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: Could not find TensorRT",
        "{clock}.801554: I tensorflow/core/common_runtime/gpu/gpu_device.cc:1928] Created device /job:worker/replica:0/task:{rank}/device:GPU:0 with 78234 MB memory:  -> device: 0, name: NVIDIA A100-SXM4-80GB",
        "INFO:tensorflow:Waiting for the cluster, timeout = inf",
    ),
}  # fmt: skip


def filled(job: Job, text: str, rank: int, at: float) -> str:
    return text.format(
        host=job.host(rank),
        pid=job.pid(rank),
        tid=job.pid(rank) + 411,
        local=rank % job.per_host,
        ip=job.address(rank),
        rank=rank,
        ranks=job.ranks,
        glog=job.clock(at, "%m%d %H:%M:%S.%6"),
        clock=job.clock(at),
    )


def tell_prelude(job: Job) -> float:
    """Start up; give the second at which the first step can begin."""
    at = 0.0
    for rank in range(min(job.ranks, 16)):
        for index, text in enumerate(PRELUDES[job.stack]):
            if rank == 0 or index < 5:
                at = 2 + index * 1.7 + rank * 0.01
                job.say(at, rank, [filled(job, text, rank, at)])
    return at + 20


def loss(job: Job, step: int) -> float:
    return 2.1 + 8.0 / (1 + step / 40) + job.rng.uniform(-0.05, 0.05)


STYLES: dict[str, list[Callable[[Job, int, int, float, float], str]]] = {
    "torch": [
        lambda j, s, n, t, d: f"{j.clock(t)} | INFO     | trainer.loop:run_step:212 - step {s}/{n} loss={loss(j, s):.4f} grad_norm={j.rng.uniform(0.2, 2):.3f} lr=3.000e-04 tok/s={j.rng.uniform(3e4, 4e4):.0f}",
        lambda j, s, n, t, d: f"[{j.clock(t)}] iteration {s:8d}/{n:8d} | consumed samples: {s * 512:12d} | elapsed time per iteration (ms): {d * 1000:.1f} | learning rate: 3.000000E-04 | global batch size:   512 | lm loss: {loss(j, s):.6E} | loss scale: 1.0 | grad norm: 0.713 | number of skipped iterations:   0 | number of nan iterations:   0 |",
        lambda j, s, n, t, d: f"Epoch: [{s * 20 // n}]  [{s:5d}/{n}]  eta: {int((n - s) * d) // 3600}:{int((n - s) * d) // 60 % 60:02d}:{int((n - s) * d) % 60:02d}  lr: 0.000300  loss: {loss(j, s):.4f} ({loss(j, s):.4f})  time: {d:.4f}  data: 0.0031  max mem: 61233",
        lambda j, s, n, t, d: f"{{'loss': {loss(j, s):.4f}, 'grad_norm': {j.rng.uniform(0.2, 2):.6f}, 'learning_rate': 2.9e-05, 'epoch': {s / n * 3:.2f}}}",
        lambda j, s, n, t, d: f"{j.clock(t, '%m/%d %H:%M:%S')} - mmengine - INFO - Epoch(train)  [{s * 12 // n}][{s}/{n}]  lr: 2.0000e-02  eta: 1 day, 2:11:09  time: {d:.4f}  data_time: 0.0094  memory: 11822  loss: {loss(j, s):.4f}",
        lambda j, s, n, t, d: f"Training Epoch {s * 4 // n}, iteration {s}/{n - 1} | lr: 0.0002968 | consumed_samples: {s * 128} | global_batch_size: 128 | reduced_train_loss: {loss(j, s):.3f} | train_step_timing in s: {d:.3f}",
    ],
    "jax": [
        lambda j, s, n, t, d: f"completed step: {s}, seconds: {d:.3f}, TFLOP/s/device: {j.rng.uniform(180, 190):.3f}, Tokens/s/device: {j.rng.uniform(3e3, 4e3):.3f}, total_weights: 1048576, loss: {loss(j, s):.3f}",
        lambda j, s, n, t, d: f"I{j.clock(t, '%m%d %H:%M:%S.%6')} 140412 logging_writer.py:48] [{s}] learning_rate=0.001000, loss={loss(j, s):.5f}, steps_per_sec={1 / d:.4f}",
        lambda j, s, n, t, d: f"I{j.clock(t, '%m%d %H:%M:%S.%6')} 140412 train.py:301] train step: {s}, loss: {loss(j, s):.4f}, steps/sec: {1 / d:.2f}",
    ],
    "mpi": [
        lambda j, s, n, t, d: f" kt = {s:8d}  |ssh|max = {j.rng.uniform(1, 2):.6E}  |U|max = {j.rng.uniform(0.5, 3):.6E}  elapsed = {t:.2f}",
        lambda j, s, n, t, d: f"Step {s:7d} of {n}  loss {loss(j, s):.5f}  {d:.3f} s/step",
        lambda j, s, n, t, d: f"epoch {s * 10 // n} iter {s}/{n}: train_loss={loss(j, s):.4f} img/sec per device: {256 / d:.1f}",
    ],
    "tf": [
        lambda j, s, n, t, d: f"{s}/{n} [{'=' * (s * 20 // n)}>{'.' * (20 - s * 20 // n)}] - ETA: {int((n - s) * d)}s - loss: {loss(j, s):.4f} - accuracy: {min(0.99, s / n):.4f}",
        lambda j, s, n, t, d: f"INFO:tensorflow:loss = {loss(j, s):.6f}, step = {s} ({d * 100:.3f} sec)",
        lambda j, s, n, t, d: f"I{j.clock(t, '%m%d %H:%M:%S.%6')} 1322 controller.py:489] train | step: {s:6d} | steps/sec: {1 / d:7.1f} | output: {{'train_loss': {loss(j, s):.5f}}}",
    ],
}  # fmt: skip


def tell_training(job: Job, began: float, steps: int, planned: int) -> float:
    """Report `steps` steps; give the second of the last."""
    style = job.rng.choice(STYLES[job.stack])
    seconds = job.rng.uniform(0.3, 9)
    everyone = job.rng.random() < 0.15 and job.ranks <= 8
    at = began
    for step in range(1, steps + 1):
        at = began + step * seconds
        for rank in range(job.ranks) if everyone else (0,):
            job.say(
                at + rank * 3e-4,
                rank,
                [style(job, step, planned, at, seconds * job.rng.uniform(0.97, 1.03))],
                stream="stdout",
            )
        if step % 200 == 0:
            job.say(
                at + 0.05,
                0,
                [
                    job.rng.choice(
                        (
                            f"Saving checkpoint at step {step} to /scratch/ckpt/step_{step}",
                            f"validation at step {step}: val_loss {loss(job, step):.4f}",
                        )
                    )
                ],
                stream="stdout",
            )
    return at  # fmt: skip
