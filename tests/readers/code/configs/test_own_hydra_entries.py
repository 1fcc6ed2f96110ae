"""Projects that write an entry of their own around Hydra's."""

RUNNER = """
from hydra._internal.utils import _run_hydra, get_args_parser

def hydra_runner(config_path=".", config_name=None):
    def decorator(task_function):
        def wrapper(passed=None):
            if passed is not None:
                return task_function(passed)
            args = get_args_parser()
            _run_hydra(
                args=args.parse_args(), args_parser=args, task_function=task_function,
                config_path=config_path, config_name=config_name,
            )
        return wrapper
    return decorator
"""
PROGRAM = """
import lightning.pytorch as pl
from runner import hydra_runner

@hydra_runner(config_path="conf/small", config_name="base")
def main(cfg):
    trainer = pl.Trainer(**cfg.trainer)
    trainer.fit(None)

if __name__ == "__main__":
    main()
"""
FILES = {
    "runner.py": RUNNER,
    "train.py": PROGRAM,
    "conf/small/base.yaml": "trainer:\n  max_epochs: 3\n  devices: 1\n",
    "conf/large/big.yaml": "trainer:\n  max_epochs: 30\n  devices: 8\n  accelerator: gpu\n  strategy: ddp\n",
}


def test_an_own_entry_composes_as_hydras_does(read):
    job = read(FILES, "python train.py --config-path=conf/large --config-name=big trainer.max_epochs=7")
    assert (job.is_training, job.num_gpus, job.epochs, job.distributed) == (True, 8, 7.0, "DDP")
    assert read(FILES, "python train.py").epochs == 3.0
