"""How a dozen training programs write their progress."""

from collections.abc import Callable
from random import Random

Style = Callable[[Random, int, int], str]


def loss_at(rng: Random, step: int) -> float:
    """Let a loss fall, with noise."""
    return 9.0 / (1 + step / 50) + 1.5 + rng.random() * 0.1


def clock(step: int) -> str:
    """Give a time that moves on with the steps."""
    second = 8 * 3600 + 5 * step
    return f"2025-03-{1 + second // 86400 % 27:02d} {second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


def trainer_dict(rng: Random, step: int, total: int) -> str:
    """Write as a trainer that prints its log dictionary."""
    return f"{{'loss': {loss_at(rng, step):.4f}, 'grad_norm': {rng.random():.4f}, 'learning_rate': 3e-05, 'epoch': {step / total:.2f}}}"


def megatron(rng: Random, step: int, total: int) -> str:
    """Write as Megatron does."""
    return (
        f" [{clock(step)}] iteration {step:8d}/{total:8d} | consumed samples: {step * 512:12d} | elapsed time per iteration (ms): "
        f"{5200 + rng.random() * 90:.1f} | learning rate: 1.500E-04 | global batch size:   512 | lm loss: {loss_at(rng, step):.6E} |"
    )


def bar(rng: Random, step: int, total: int) -> str:
    """Draw a progress bar over itself."""
    share = 100 * step // total
    drawn = "█" * (share // 10) + " " * (10 - share // 10)
    return f"Epoch 3: {share:3d}%|{drawn}| {step}/{total} [{step // 12:02d}:{step % 60:02d}<{(total - step) // 12:02d}:17, {1.9 + rng.random():.2f}it/s, loss={loss_at(rng, step):.3f}]\r"


def plain_epoch(rng: Random, step: int, total: int) -> str:
    """Write as a hand-made loop does."""
    return f"Epoch [{1 + step // 100}/90], Step [{step % 100}/100], Loss: {loss_at(rng, step):.4f}, Acc: {60 + rng.random() * 20:.2f}%"


def deepspeed(rng: Random, step: int, total: int) -> str:
    """Write as DeepSpeed's timer does."""
    return f"[{clock(step)},{rng.randrange(1000):03d}] [INFO] [logging.py:96:log_dist] [Rank 0] step={step}, skipped=0, lr=[2e-05], mom=[(0.9, 0.95)], loss={loss_at(rng, step):.4f}"


def fairseq(rng: Random, step: int, total: int) -> str:
    """Write as fairseq does."""
    return f"{clock(step)} | INFO | train_inner | epoch 002: {step} / {total} loss={loss_at(rng, step):.3f}, ppl={rng.random() * 90:.2f}, wps={20000 + rng.randrange(900)}, ups=1.1, num_updates={step}, lr=0.0005"


def open_mmlab(rng: Random, step: int, total: int) -> str:
    """Write as the OpenMMLab runners do."""
    return f"{clock(step).replace('-', '/').replace('2025', '2025', 1)} - mmengine - INFO - Epoch(train)  [4][{step:5d}/{total}]  lr: 1.0000e-02  eta: 3:11:20  time: 0.4112  data_time: 0.0123  memory: 9211  loss: {loss_at(rng, step):.4f}"


def keras(rng: Random, step: int, total: int) -> str:
    """Write as Keras does."""
    return f"{step}/{total} [=======>......................] - ETA: {total - step}s - loss: {loss_at(rng, step):.4f} - accuracy: 0.{rng.randrange(5000, 9000)}"


def lightning(rng: Random, step: int, total: int) -> str:
    """Write as Lightning's bar does without a terminal."""
    return f"Epoch 7:  {100 * step // total}%|▌         | {step}/{total} [0{step % 9}:12<05:33,  2.11it/s, v_num=41, train_loss={loss_at(rng, step):.3f}]"


def detectron(rng: Random, step: int, total: int) -> str:
    """Write as detectron2's event writer does."""
    return f"[03/0{1 + step % 9} {clock(step)[11:]} d2.utils.events]:  eta: 8:51:05  iter: {step}  total_loss: {loss_at(rng, step):.3f}  time: 0.3{rng.randrange(999)}  data_time: 0.0091  lr: 0.01  max_mem: 6412M"


def reinforcement(rng: Random, step: int, total: int) -> str:
    """Write as a reinforcement learner does."""
    return f"[{clock(step)}] episode {step} timesteps {step * 2048} mean_reward {rng.random() * 300:.1f} fps {1900 + rng.randrange(99)}"


def tokens(rng: Random, step: int, total: int) -> str:
    """Write as language-model trainers of today do."""
    return f"[titan] {clock(step)},{rng.randrange(1000):03d} - root - INFO - step: {step:5d}  loss: {loss_at(rng, step):8.4f}  memory: 61.02GiB(77.1%)  tps: {6300 + rng.randrange(99):,}  mfu: 41.{rng.randrange(99):02d}%"


STYLES: tuple[Style, ...] = (
    trainer_dict,
    megatron,
    bar,
    plain_epoch,
    deepspeed,
    fairseq,
    open_mmlab,
    keras,
    lightning,
    detectron,
    reinforcement,
    tokens,
)

SCARY = (
    "UserWarning: error reading the cached index, it will be built again",
    "WARNING: failed to import flash_attn, falling back to eager attention",
    "[W socket.cpp:601] [c10d] The client socket has failed to connect to [node-{a}]:29500 (errno: 97 - Address family not supported by protocol).",
    "retrying download of shard {a}: connection reset by peer (attempt 1 of 5)",
    "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0",
    "DeprecationWarning: the fatal_errors argument is ignored since 2.1",
    "WARNING:root:could not find a checkpoint in /ckpt/run{a}, training from scratch",
    "nan_guard: 0 errors, 0 exceptions in the last {a} batches",
    "/opt/conda/lib/python3.11/site-packages/torch/autograd/graph.py:825: UserWarning: Error detected is impossible here",
    "libibverbs: Warning: couldn't open config directory '/etc/libibverbs.d'.",
    "node-{a}:771:902 [0] NCCL INFO NET/Plugin: No plugin found (libnccl-net.so), using internal implementation",
    "tensorflow/compiler/xla/stream_executor/cuda/cuda_dnn.cc: Unable to register cuDNN factory: one has been registered already",
)
"""What healthy runs print and nobody should be woken for."""

NEUTRAL = (
    "loading tokenizer from /models/base",
    "found {a}912 samples in 64 shards",
    "[rank{r}]: compiled the model in 4{a}.2 s",
    "saving checkpoint to /ckpt/run{a}/step-1000",
    "prefetch queue at {a} of 64",
    "node-{a}: numa binding set to 0-63",
    "gc: freed {a} objects",
)
