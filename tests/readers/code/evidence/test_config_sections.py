"""Configuration files that a command chooses, those that they build on, and which of their sections mean training."""

PARTS = {
    "pipeline.py": """
    import tomllib
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    with open("job.toml", "rb") as file:
        config = tomllib.load(file)

    def train(steps, batch_size):
        model = torch.nn.Linear(3, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        data = draw(batch_size)
        for step in range(steps):
            model(next(data)).sum().backward()
            optimizer.step()
        return model

    def draw(batch_size):
        while True:
            yield torch.rand(batch_size, 3)

    def sample(model, batch_size):
        return model(torch.rand(batch_size, 3))

    sample(train(**config["train"]), batch_size=config["sample"]["batch_size"])
    """,
    "job.toml": "[train]\nsteps = 40\nbatch_size = 16\n[sample]\nbatch_size = 9000\n",
}


def test_what_is_set_for_sampling_is_not_for_training(read):
    workload = read(PARTS, "python pipeline.py")
    assert (workload.batch_size, workload.total_steps) == (16, 40)
