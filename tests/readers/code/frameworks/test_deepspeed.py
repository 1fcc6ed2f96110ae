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
