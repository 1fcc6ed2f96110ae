"""Programs of earlier years: other Pythons, sessions, nodes of configurations made one's own, rates set by hand."""

from tests.readers.code.programs import TORCH_HEAD

LOOP = """
for epoch in range(4):
    loss = model(torch.randn(2, 3)).sum()
    loss.backward()
    optimizer.step()
"""


def test_a_program_before_python_3_7_keeps_its_numbers(read):
    """One line that is no Python 3 must not spoil the others: 0.05 holds no octal number."""
    workload = read(
        {
            "train.py": TORCH_HEAD
            + "print 'starts'\nready = dict(async=True, mode=0644)\n"
            + "model = torch.nn.Linear(3, 1)\noptimizer = torch.optim.SGD(model.parameters(), 0.05)\n"
            + LOOP
        },
        "python train.py",
    )
    assert (workload.learning_rate, workload.optimizer, workload.epochs) == (0.05, "SGD", 4)


def test_a_rate_that_is_set_in_the_groups_is_not_the_default(read):
    program = (
        TORCH_HEAD
        + """
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.Adam(model.parameters())
for step in range(10):
    for group in optimizer.param_groups:
        group["lr"] = 2.0 * min((step + 1) ** -0.5, step * 400 ** -1.5)
    model(torch.randn(2, 3)).sum().backward()
    optimizer.step()
"""
    )
    assert read({"train.py": program}, "python train.py").learning_rate is None


def test_a_session_carries_out_what_the_graph_describes(read):
    workload = read(
        {
            "train.py": """
            import tensorflow as tf
            import argparse

            parser = argparse.ArgumentParser()
            parser.add_argument("--rounds", type=int, default=700)
            args = parser.parse_args()
            loss = tf.reduce_mean(tf.layers.dense(tf.placeholder(tf.float32, [None, 4]), 1))
            update = tf.train.AdamOptimizer(0.002).minimize(loss)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                step = 0
                while step < args.rounds:
                    value, _ = session.run([loss, update])
                    step += 1
            """
        },
        "python train.py --rounds 900",
    )
    assert (workload.total_steps, workload.optimizer, workload.learning_rate) == (900, "Adam", 0.002)


NODES = {
    "settings.py": """
    import yacs.config

    class Node(yacs.config.CfgNode):
        def as_dict(self):
            return {key: value for key, value in self.items()}

        def rate(self):
            return self.base_lr * 2

    config = Node()
    config.train = Node()
    config.train.batch_size = 16
    config.train.base_lr = 0.1
    config.schedule = Node()
    config.schedule.epochs = 5

    def defaults():
        return config.clone()
    """,
    "train.py": """
    import argparse
    import torch
    from settings import defaults

    class StepSchedule:
        def __init__(self, steps, marks):
            self.lengths = [end - start for start, end in zip([0] + marks, marks + [steps])]
            self.steps = steps

    parser = argparse.ArgumentParser()
    parser.add_argument("--config")
    parser.add_argument("options", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    config = defaults()
    config.merge_from_file(args.config)
    config.merge_from_list(args.options)
    model = torch.nn.Linear(3, 1)
    schedule = StepSchedule(config.schedule.epochs, [2, 4])
    optimizer = torch.optim.SGD(model.parameters(), lr=config.train.rate())
    data = torch.utils.data.TensorDataset(torch.rand(9, 3))
    loader = torch.utils.data.DataLoader(data, batch_size=config.train.batch_size)
    seeds = torch.randint(0, 9, (config.schedule.epochs,))
    for number, seed in enumerate(seeds):
        for (data,) in loader:
            optimizer.zero_grad()
            for chunk in [data]:
                model(chunk).sum().backward()
            optimizer.step()
    """,
    "wide.yaml": "train:\n  batch_size: 32\nschedule:\n  epochs: 6\n",
}


def test_a_class_that_extends_a_librarys_node_is_one(read):
    workload = read(NODES, "python train.py --config wide.yaml train.base_lr 0.25")
    assert (workload.batch_size, workload.learning_rate) == (32, 0.5)


def test_neither_chunks_of_a_batch_nor_a_schedules_parts_are_steps(read):
    workload = read(NODES, "python train.py --config wide.yaml")
    assert (workload.epochs, workload.total_steps) == (6, 6)  # nine samples are one batch


STORED = {
    "train.py": """
    from dataclasses import dataclass, field
    from typing import Any

    import hydra
    import torch
    from hydra.core.config_store import ConfigStore
    from omegaconf import MISSING, OmegaConf

    chosen = [{"optim": "adam"}]

    @dataclass
    class Adam:
        rate: float = 0.002

    @dataclass
    class Sgd:
        rate: float = 0.3

    @dataclass
    class Settings:
        defaults: list = field(default_factory=lambda: chosen)
        optim: Any = MISSING
        epochs: int = 7

    store = ConfigStore.instance()
    store.store(name="config", node=Settings)
    store.store(group="optim", name="adam", node=Adam)
    store.store(group="optim", name="sgd", node=Sgd)

    @hydra.main(config_path=None, config_name="config")
    def main(cfg):
        model = torch.nn.Linear(3, 1)
        if OmegaConf.get_type(cfg.optim) is Sgd:
            optimizer = torch.optim.SGD(model.parameters(), lr=cfg.optim.rate)
        else:
            optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.optim.rate)
        for epoch in range(cfg.epochs):
            model(torch.randn(2, 3)).sum().backward()
            optimizer.step()

    main()
    """
}


def test_stored_records_choose_others_by_their_own_list(read):
    plain = read(STORED, "python train.py")
    assert (plain.optimizer, plain.learning_rate, plain.epochs) == ("AdamW", 0.002, 7)
    told = read(STORED, "python train.py optim=sgd epochs=2")
    assert (told.optimizer, told.learning_rate, told.epochs) == ("SGD", 0.3, 2)


def test_a_table_of_numbers_does_not_end_the_reading(read):
    """Sinusoids made number by number cost nothing, and what stands after them is read."""
    program = (
        TORCH_HEAD
        + """
def angles(position, width):
    return [position / 10000 ** (2 * (place // 2) / width) for place in range(width)]

table = torch.tensor([angles(position, 512) for position in range(500)])
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
"""
        + LOOP
    )
    workload = read({"train.py": program}, "python train.py")
    assert (workload.learning_rate, workload.precision) == (0.5, "fp32")


def test_a_runs_name_is_no_models_name(read):
    program = """
    import argparse
    import torch
    import torchvision

    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="resnet50")
    parser.add_argument("--lr", type=float, default=0.5)
    args = parser.parse_args()
    args.model_name = "{}_lr_{}_trial_{}".format(args.model, args.lr, 0)
    print(args.model_name)
    model = torchvision.models.__dict__[args.model]()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for epoch in range(3):
        model(torch.randn(2, 3, 8, 8)).sum().backward()
        optimizer.step()
    """
    assert read({"train.py": program}, "python train.py").model_name == "resnet50"


def test_a_script_named_after_a_method_learns_what_the_method_does(read):
    program = """
    import torch
    import torchvision

    model = torchvision.models.resnet50()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model(torch.randn(2, 3, 8, 8)).sum().backward()
        optimizer.step()
    """
    assert read({"main_simsiam.py": program}, "python main_simsiam.py").task_fine == "self-supervised pre-training"
    assert (
        read({"eval_simsiam_linear.py": program}, "python eval_simsiam_linear.py").task_fine == "image classification"
    )


def test_a_tokenizer_is_no_training_for_a_gpu(read):
    program = """
    import sentencepiece as spm
    import torch

    spm.SentencePieceTrainer.train(input="corpus.txt", model_prefix="tok", vocab_size=4096)
    """
    assert read({"vocabulary.py": program}, "python vocabulary.py").is_training is not True
