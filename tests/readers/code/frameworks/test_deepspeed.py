"""DeepSpeed: an engine that stands for the model, and its configuration: batches, optimizer, precision, sharding."""


def test_what_deepspeed_is_told_at_run_time_is_not_the_constant_that_it_replaces(read):
    files = {
        "train.py": """
            import deepspeed
            import torch

            GLOBAL_BATCH_SIZE = 48

            def settings():
                return {"train_batch_size": GLOBAL_BATCH_SIZE, "train_micro_batch_size_per_gpu": 4}

            model = torch.nn.Linear(4, 2)
            config = settings()
            config["train_batch_size"] = 4 * torch.distributed.get_world_size() * 2
            engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
            for x in torch.randn(8, 4):
                loss = engine(x).sum()
                engine.backward(loss)
                engine.step()
            """
    }
    found = read(files, "deepspeed train.py")
    assert (found.batch_size, found.global_batch_size) == (4, None)


ENGINE = """
import deepspeed
import torch
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2")
engine, _, _, _ = deepspeed.initialize(model=model, config="engine.json")
for step in range(6):
    engine.backward(engine(step))
    engine.step()
"""


def test_an_engine_that_places_the_model_by_itself_does_not_run_on_the_cpu(read):
    assert read({"go.py": ENGINE, "engine.json": "{}"}, "python go.py").num_gpus != 0


def test_a_configuration_with_some_of_its_keys_is_deepspeeds_only_where_that_is_spoken_of(read):
    main = """
    import json
    import sys
    import torch
    {more}
    options = json.load(open("job.json"))
    model = torch.nn.Linear(4, 2)
    loader = torch.utils.data.DataLoader(torch.zeros(640, 4), batch_size=options["train_batch_size"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).sum().backward()
        optimizer.step()
    """
    options = '{"train_batch_size": 32, "gradient_accumulation_steps": 2, "fp16": true}'
    job = read({"main.py": main.replace("{more}", ""), "job.json": options}, "python main.py")
    assert job.batch_size == 32


WRITTEN = """
import argparse, json, os
import deepspeed
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="runs")
parser.add_argument("--batch", type=int, default=6)
args = parser.parse_args()

def write_engine(args):
    args.deepspeed_config = os.path.join({folder}, "engine.json")
    with open(args.deepspeed_config, mode="w") as file:
        engine = {{
            "train_micro_batch_size_per_gpu": args.batch,
            "optimizer": {{"type": "Adam", {mode} "params": {{"lr": 0.03}}}},
            "fp16": {{"enabled": True}},
        }}
        file.write(json.dumps(engine, indent=2))

write_engine(args)
model = torch.nn.Linear(4, 2)
engine, optimizer, _, _ = deepspeed.initialize(args=args, model=model, model_parameters=model.parameters())
for x in rows:
    engine.backward(engine(x).sum())
    engine.step()
"""


def test_an_engine_reads_what_the_program_wrote_for_it(read):
    found = read({"go.py": WRITTEN.format(folder="args.out", mode="")}, "deepspeed --num_gpus 2 go.py")
    assert (found.batch_size, found.precision, found.optimizer, found.learning_rate) == (6, "fp16", "Adam", 0.03)
    mode = WRITTEN.format(folder="args.out", mode='"adam_w_mode": True,')
    assert read({"go.py": mode}, "deepspeed --num_gpus 2 go.py").optimizer == "AdamW"


def test_without_its_configuration_an_engines_precision_is_open(read):
    found = read({"go.py": WRITTEN.format(folder="os.environ['OUT']", mode="")}, "deepspeed --num_gpus 2 go.py")
    assert (found.is_training, found.precision, found.optimizer) == (True, None, None)
