"""Programs of science, translation, sound and play: what their options and files say, and what they do besides."""

import pytest

DEEP = """
{
  "model": {"descriptor": {"type": "se_e2_a"}, "fitting_net": {"neuron": [240, 240]}},
  "learning_rate": {"type": "exp", "start_lr": 0.002, "stop_lr": 1e-8},
  "training": {"training_data": {"systems": ["./rows/water"], "batch_size": 4}, "numb_steps": 70000}
}
"""


@pytest.mark.parametrize("backend", ["", "--pt ", "-b pytorch "])
def test_deepmd(read, backend):
    job = read({"input.json": DEEP}, f"dp {backend}train input.json")
    assert (job.is_training, job.total_steps, job.learning_rate, job.batch_size) == (True, 70000, 0.002, 4)
    assert (job.optimizer, job.model_name, job.num_gpus) == ("Adam", "se_e2_a", 1)
    assert read({"input.json": DEEP}, "dp freeze -o graph.pb").is_training is False
    assert read({"input.json": DEEP.replace(": 4}", ': "auto"}')}, "dp train input.json").batch_size is None


OLD = "dataset_file_name: birds.xyz\nbatch_size: 5\nmax_epochs: 60\nlearning_rate: 0.005\noptimizer_name: Adam\n"
LUDWIG = "trainer:\n  epochs: 4\n  batch_size: 16\n  learning_rate: 0.03\n  optimizer:\n    type: sgd\n"


@pytest.mark.parametrize(
    ("command", "files", "expected"),
    [
        ("nequip-train old.yaml", {"old.yaml": OLD}, (5, 60, None, 0.005, "Adam")),
        (
            "mace_run_train --name=x --train_file=birds.xyz --batch_size=6 --max_num_epochs=90 --device=cuda --lr=0.02",
            {}, (6, 90, None, 0.02, "Adam"),
        ),
        ("mace_run_train --name=x --train_file=birds.xyz", {}, (10, 2048, None, 0.01, "Adam")),
        ("chemprop train --data-path birds.csv --epochs 9", {}, (64, 9, None, None, "Adam")),
        ("chemprop_train --data_path birds.csv --batch_size 7 --epochs 9", {}, (7, 9, None, None, "Adam")),
        (
            "sockeye-train -s a -t b --batch-size 4096 --max-num-epochs 8 --initial-learning-rate 0.0002",
            {}, (None, 8, None, 0.0002, "Adam"),
        ),
        ("ns-train nerfacto --data birds --max-num-iterations 900", {}, (None, None, 900, None, None)),
        (
            "dglke_train --model_name RotatE --dataset wn18 --batch_size 99 --lr 0.3",
            {}, (99, None, 80000, 0.3, "Adagrad"),
        ),
        (
            "ludwig train --config told.yaml --dataset birds.csv",
            {"told.yaml": LUDWIG},
            (16, 4, None, 0.03, "SGD"),
        ),
        ("t2t-trainer --problem=birds --model=transformer --train_steps=700", {}, (None, None, 700, None, None)),
        ("parlai train_model -t birds -m transformer/generator -bs 32 -lr 0.5", {}, (32, None, None, 0.5, None)),
        ("python -m spinup.run ppo --env Maze-v1 --epochs 30", {}, (None, 30, None, None, None)),
        ("python -m baselines.run --alg=ppo2 --env=Maze-v1 --num_timesteps=2e6", {}, (None, None, 2000000, None, None)),
        ("cellpose --train --dir birds --n_epochs 80 --learning_rate 0.2", {}, (None, 80, None, 0.2, None)),
        (
            "deepspeed --module openrlhf.cli.train_sft --pretrain x/y --train_batch_size 256 --micro_train_batch_size 2"
            " --max_epochs 3 --learning_rate 5e-6",
            {}, (2, 3, None, 5e-6, None),
        ),
        (
            "torchrun --nproc_per_node=4 -m verl.trainer.fsdp_sft_trainer data.train_batch_size=64"
            " trainer.total_epochs=2 optim.lr=1e-4 model.partial_pretrain=x/y",
            {}, (None, 2, None, 1e-4, None),
        ),
        (
            "python -m open_clip_train.main --train-data a.tar --batch-size 320 --epochs 32 --lr 5e-4",
            {}, (320, 32, None, 5e-4, None),
        ),
        (
            "python -m espnet2.bin.asr_train --config a.yaml --ngpu 4 --batch_size 32 --max_epoch 50 --optim adam",
            {"a.yaml": "optim_conf:\n  lr: 0.002\n"}, (None, 50, None, 0.002, "Adam"),
        ),
        ("lerobot-train --policy.type=act --batch_size=16 --steps=900", {}, (16, None, 900, None, None)),
        (
            "python -m levanter.main.train_lm --config_path a.yaml --trainer.num_train_steps 70",
            {"a.yaml": "optimizer:\n  learning_rate: 0.003\ntrainer:\n  train_batch_size: 64\n"},
            (None, None, 70, 0.003, None),
        ),
        ("python -m MaxText.train a.yml steps=9 per_device_batch_size=4", {"a.yml": "x: 1"}, (4, None, 9, None, None)),
        ("marian --train-sets a b --mini-batch 64 --after-epochs 9", {}, (None, 9, None, 1e-4, "Adam")),
        ("./build/tools/caffe train --solver=s.prototxt --gpu 0", {}, (None,) * 5),
        ("darknet detector train a.data a.cfg", {}, (None,) * 5),
        ("rllib train --run PPO --env Maze-v1", {}, (None,) * 5),
        (
            "python -m fairchem.core.main --mode train --config-yml a.yml",
            {"a.yml": "optim:\n  batch_size: 3\n  max_epochs: 8\n  lr_initial: 0.004\n"}, (3, 8, None, 0.004, None),
        ),
        ("torchmd-train --num-epochs 7 --batch-size 3 --lr 0.01", {}, (3, 7, None, 0.01, None)),
        ("spktrain experiment=birds trainer.max_epochs=8", {}, (None, 8, None, None, None)),
    ],
)  # fmt: skip
def test_what_the_command_or_its_file_says(read, command, files, expected):
    job = read(files or {"README.md": "birds\n"}, command)
    found = (job.batch_size, job.epochs, job.total_steps, job.learning_rate, job.optimizer)
    assert (job.is_training, found) == (True, expected)


@pytest.mark.parametrize(
    "command",
    [
        "chemprop predict --test-path birds.csv --model-path there",
        "ludwig predict --model_path there --dataset birds.csv",
        "cellpose --dir birds --pretrained_model cyto",
        "parlai eval_model -t birds -m transformer/generator",
        "python -m spinup.run plot there",
        "caffe test --model a.prototxt",
        "./darknet detect a.cfg a.weights a.jpg",
        "rllib evaluate there",
        "python -m fairchem.core.main --mode predict --config-yml a.yml",
    ],
)
def test_what_the_same_programs_do_besides(read, command):
    assert read({"README.md": "birds\n"}, command).is_training is False


OWN = """
import torch
net = torch.nn.Linear(3, 3)
net.eval()
print(net(torch.rand(3)))
"""


@pytest.mark.parametrize("command", ["python -m mace.cli.run_train --lr=0.5", "python -m training.main --lr=0.5"])
def test_a_part_of_the_project_of_that_name_is_followed(read, command):
    path = command.split()[2].replace(".", "/") + ".py"
    assert read({path: OWN}, command).is_training is not True
