"""A program of Paddle that writes its own trainer, started by a file of settings."""

PADDLE = {
    "configs/base/reader.yml": """
        EvalReader: {batch_size: 3}
        TrainReader: {batch_size: 24}
    """,
    "configs/base/rates.yml": """
        OptimizerBuilder:
          optimizer: {type: Momentum, momentum: 0.9}
        LearningRate: {base_lr: 0.02}
        epochs: 17
    """,
    "configs/wide.yml": """
        _BASE_: [base/reader.yml, base/rates.yml]
        epochs: 19
    """,
    "train.py": """
        import argparse
        import os
        import paddle
        import yaml
        from shop import make

        def load(path):
            with open(path) as file:
                data = yaml.safe_load(file)
            merged = {}
            for base in data.pop("_BASE_", []):
                merged.update(load(os.path.join(os.path.dirname(path), base)))
            merged.update(data)
            return merged

        class Trainer:
            def __init__(self, cfg):
                self.cfg = cfg
                self.reader = make("TrainReader")
                self.model = paddle.nn.Linear(3, 3)
                self.optimizer = make("OptimizerBuilder")
                self.eval_size = cfg["EvalReader"]["batch_size"]

            def train(self, amp):
                for epoch in range(self.cfg["epochs"]):
                    for batch in self.reader:
                        with paddle.amp.auto_cast(enable=amp):
                            loss = self.model(batch).mean()
                        loss.backward()
                        self.optimizer.step()

        parser = argparse.ArgumentParser()
        parser.add_argument("-c", "--config")
        parser.add_argument("--eval", action="store_true")
        parser.add_argument("--amp", action="store_true")
        args = parser.parse_args()
        Trainer(load(args.config)).train(args.amp)
    """,
    "shop.py": """
        SHELF = {}

        def make(name):
            if name in SHELF:
                return SHELF[name]()
            else:
                raise ValueError(name + " was never put here")
    """,
}


def test_a_branch_that_ends_in_an_error_is_not_what_the_run_does(read):
    found = read(PADDLE, "python train.py -c configs/wide.yml --eval")
    assert found.is_training is True  # evaluation is asked for beside training, not instead of it
    assert found.epochs == 19
    assert (found.batch_size, found.optimizer, found.precision) == (24, "SGD", "fp32")


def test_automatic_casts_of_paddle_hang_on_their_option(read):
    assert read(PADDLE, "python train.py -c configs/wide.yml --amp").precision == "fp16"


def test_evaluation_instead_of_training_is_followed(read):
    program = PADDLE["train.py"].replace("Trainer(load(args.config)).train(args.amp)", "") + (
        "        trainer = Trainer(load(args.config))\n"
        "        if args.eval:\n"
        "            print(trainer.model(1))\n"
        "        else:\n"
        "            trainer.train(args.amp)\n"
    )
    files = {**PADDLE, "train.py": program}
    assert read(files, "python train.py -c configs/wide.yml --eval").is_training is False
    assert read(files, "python train.py -c configs/wide.yml").is_training is True
