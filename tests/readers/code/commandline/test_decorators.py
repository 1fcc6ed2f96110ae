"""Decorators that make a program's entry of a function: click's, Hydra's, draccus'."""

BOUND = {
    "train.py": """
        import argbind
        import torch

        @argbind.bind(without_prefix=True)
        def train(rate: float = 1e-3, batch_size: int = 12, num_iters: int = 250000):
            model = torch.nn.Linear(4, 2).cuda()
            optimizer = torch.optim.Adam(model.parameters(), lr=rate)
            loader = torch.utils.data.DataLoader([0.0], batch_size=batch_size)
            for step, sound in zip(range(num_iters), loader):
                loss = model(sound).sum()
                loss.backward()
                optimizer.step()

        if __name__ == "__main__":
            args = argbind.parse_args()
            with argbind.scope(args):
                train()
        """,
    "conf/large.yml": "batch_size: 72\nnum_iters: 400000\n",
}


def test_what_argbinds_file_says_counts_and_not_the_defaults(read):
    found = read(BOUND, "python train.py --args.load conf/large.yml")
    assert (found.is_training, found.optimizer, found.batch_size, found.total_steps) == (True, "Adam", 72, 400000)
