"""Tools whose configuration is of another library's form, or is a section of a file of hyperparameters."""

MM_CONFIG = """
from mmengine.optim import AmpOptimWrapper
from torch.optim import AdamW
from transformers import AutoModelForCausalLM
from datasets import load_dataset
from package.model import DPO

name = "internlm/internlm2-chat-1_8b-sft"
model = dict(type=DPO, llm=dict(type=AutoModelForCausalLM.from_pretrained, pretrained_model_name_or_path=name))
pairs = dict(type="Preferences", dataset=dict(type=load_dataset, path="me/pairs"))
train_dataloader = dict(batch_size=2, dataset=pairs)
optim_wrapper = dict(
    type=AmpOptimWrapper, optimizer=dict(type=AdamW, lr=5e-7), accumulative_counts=16, dtype="bfloat16"
)
train_cfg = dict(max_epochs=3)
"""


def test_a_tool_on_mmengine_is_read_as_mmengine_is(read):
    files = {"configs/dpo/small.py": MM_CONFIG, "package/__init__.py": "", "package/model.py": "class DPO:\n    pass\n"}
    job = read(files, "NPROC_PER_NODE=8 xtuner train configs/dpo/small.py --deepspeed deepspeed_zero2")
    assert (job.batch_size, job.global_batch_size, job.epochs, job.learning_rate) == (2, 256, 3.0, 5e-7)
    assert (job.num_gpus, job.distributed, job.optimizer, job.precision) == (8, "DeepSpeed", "AdamW", "bf16")
    assert (job.model_name, job.param_size, job.dataset_name) == ("internlm2-chat-1_8b-sft", "1.8B", "me/pairs")
    assert "dpo" in job.task_fine
    by_name = read(files, "xtuner train small")
    assert (by_name.num_gpus, by_name.distributed, by_name.global_batch_size) == (1, "none", 32)


ZOO = """
atari:
  n_timesteps: !!float 1e7
  batch_size: 256
  learning_rate: lin_2.5e-4
Pendulum-v1:
  n_timesteps: !!float 1e5
  learning_rate: !!float 1e-3
"""


def test_a_file_of_hyperparameters_has_a_section_for_all_games(read):
    files = {
        "train.py": "from rl_zoo3.train import train\ntrain()\n",
        "rl_zoo3/__init__.py": "",
        "hyperparams/ppo.yml": ZOO,
    }
    game = read(files, "python train.py --algo ppo --env PongNoFrameskip-v4")
    assert (game.total_steps, game.batch_size, game.learning_rate) == (10_000_000, 256, 2.5e-4)
    assert (game.num_gpus, game.distributed, game.optimizer) == (1, "none", "Adam")
    told = "python train.py --algo ppo --env Pendulum-v1 --device cpu -params learning_rate:0.5 batch_size:32"
    swing = read(files, told)
    assert (swing.learning_rate, swing.batch_size, swing.total_steps, swing.num_gpus) == (0.5, 32, 100_000, 0)


def test_swift_computes_its_accumulation_in_the_shell(read):
    script = (
        "n=2\nNPROC_PER_NODE=$n swift sft --model Qwen/Qwen2.5-7B-Instruct --dataset me/chats --torch_dtype bfloat16 "
        "--per_device_train_batch_size 1 --learning_rate 1e-4 --gradient_accumulation_steps $(expr 16 / $n)\n"
    )
    job = read({"run.sh": script}, "bash run.sh")
    assert (job.num_gpus, job.global_batch_size, job.optimizer, job.epochs) == (2, 16, "AdamW", 3.0)


def test_autotrain_is_read_by_its_sections(read):
    text = (
        "task: llm-dpo\nbase_model: gpt2\nbackend: local\ndata:\n  path: someone/pairs\nparams:\n  epochs: 2\n"
        "  batch_size: 3\n  lr: 4e-5\n  optimizer: adamw_torch\n  gradient_accumulation: 5\n  mixed_precision: bf16\n"
    )
    job = read({"conf/dpo.yml": text}, "autotrain --config conf/dpo.yml")
    assert (job.model_name, job.dataset_name, job.task_fine) == ("gpt2", "someone/pairs", "preference tuning (dpo)")
    assert (job.epochs, job.batch_size, job.learning_rate, job.precision) == (2, 3, 4e-5, "bf16")
    assert (job.optimizer, job.num_gpus, job.global_batch_size) == ("AdamW", None, None)


def test_verl_is_read_by_the_words_of_its_command(read):
    command = (
        "python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen2.5-7B trainer.n_gpus_per_node=4 "
        "trainer.nnodes=2 actor_rollout_ref.actor.optim.lr=2e-6 trainer.total_epochs=15 "
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 actor_rollout_ref.actor.ppo_mini_batch_size=64"
    )
    job = read({"README.md": ""}, command)
    assert (job.model_name, job.num_gpus, job.num_nodes, job.distributed) == ("Qwen/Qwen2.5-7B", 8, 2, "FSDP")
    assert (job.learning_rate, job.epochs, job.batch_size, job.global_batch_size) == (2e-6, 15, 2, 64)
    assert (job.optimizer, job.precision, job.task) == ("AdamW", "bf16", "NLP")
    assert read({"README.md": ""}, f"{command} actor_rollout_ref.rollout.n=5").global_batch_size == 320


SPACY = """
[paths]
train = null

[nlp]
lang = "en"
pipeline = ["tok2vec","ner"]
batch_size = 1000

[components.tok2vec]
factory = "tok2vec"

[training]
accumulate_gradient = 2
max_epochs = 40
max_steps = 0

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = {rate}
{more}
"""

SCHEDULE = """
[training.optimizer.learn_rate]
@schedules = "warmup_linear.v1"
initial_rate = 0.00005
"""


def test_spacy_is_configured_by_sections_in_sections(read):
    files = {"config.cfg": SPACY.format(rate="0.002", more="")}
    job = read(files, "python -m spacy train config.cfg --paths.train tides.spacy")
    assert (job.epochs, job.total_steps, job.batch_size) == (40.0, None, None)
    assert (job.optimizer, job.learning_rate, job.precision) == ("Adam", 0.002, "fp32")
    assert (job.model_name, job.model_type, job.num_gpus) == ("tok2vec", "cnn", 0)
    assert read(files, "python -m spacy train config.cfg --gpu-id 0").num_gpus == 1
    assert read(files, "python -m spacy train config.cfg --gpu-id -1").num_gpus == 0


def test_spacys_rate_may_be_a_schedule(read):
    files = {"config.cfg": SPACY.replace("learn_rate = {rate}", "").format(more=SCHEDULE)}
    assert read(files, "spacy train config.cfg").learning_rate == 5e-5


def test_a_device_of_number_minus_one_is_not_the_cpu_for_everyone(read):
    """YOLO takes the GPU that is least in use for it."""
    assert read({"coco.yaml": "nc: 80"}, "yolo train data=coco.yaml model=yolo11n.pt device=-1").num_gpus == 1


RESTORING = """
name: deblur
num_gpu: 2
datasets:
  train:
    name: GoPro
    batch_size_per_gpu: 5
network_g:
  type: RRDBNet
train:
  total_iter: 1234
  optim_g:
    type: AdamW
    lr: !!float 3e-4
"""


def test_a_script_that_hands_its_work_to_a_library_that_is_not_here_is_read_by_its_configuration(read):
    script = "from basicsr.train import train_pipeline\nimport mine\ntrain_pipeline('.')\n"
    files = {"mine/__init__.py": "", "fit.py": script, "options/small.yml": RESTORING}
    job = read(files, "torchrun --nproc_per_node=4 fit.py -opt options/small.yml --launcher pytorch")
    assert (job.is_training, job.batch_size, job.global_batch_size, job.total_steps) == (True, 5, 20, 1234)
    assert (job.optimizer, job.learning_rate, job.dataset_name, job.num_gpus) == ("AdamW", 3e-4, "GoPro", 4)
    assert read(files, "python fit.py -opt options/small.yml").num_gpus == 2
