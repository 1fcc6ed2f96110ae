"""LightningCLI: files and options of the command line make trainer, model and data; the command says what they do."""

from tests.readers.code.programs import TORCH_HEAD

CLI_MODULE = (
    TORCH_HEAD
    + """
import lightning as L
from lightning.pytorch.cli import LightningCLI

class Net(torch.nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, width, 3)

class Task(L.LightningModule):
    def __init__(self, net: torch.nn.Module = None, lr: float = 0.5, batch_size: int = 1):
        super().__init__()
        self.save_hyperparameters(ignore=["net"])
        self.net = net

    def training_step(self, batch, index):
        return self.net(batch).sum()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.hparams.lr)

class Data(L.LightningDataModule):
    def __init__(self, batch_size: int = 2):
        super().__init__()
        self.batch_size = batch_size

    def train_dataloader(self):
        return DataLoader(TensorDataset(torch.randn(8, 3, 8, 8)), batch_size=self.batch_size, shuffle=True)

class CLI(LightningCLI):
    def add_arguments_to_parser(self, parser):
        parser.link_arguments("data.batch_size", "model.batch_size")

if __name__ == "__main__":
    CLI(Task, Data)
"""
)
CLI_FILE = """
fit:
  trainer: {max_epochs: 3, devices: 2, strategy: ddp}
  model:
    lr: 0.1
    net: {class_path: train.Net, init_args: {width: 16}}
  data: {batch_size: 32}
"""


def test_lightning_makes_model_and_data_of_a_file_and_the_words_over_it(read):
    job = read({"train.py": CLI_MODULE, "a.yaml": CLI_FILE}, "python train.py fit --config a.yaml --model.lr=0.01")
    assert (job.is_training, job.learning_rate, job.optimizer, job.epochs) == (True, 0.01, "SGD", 3)
    assert (job.batch_size, job.num_gpus, job.global_batch_size, job.distributed) == (32, 2, 64, "DDP")


def test_lightning_told_not_to_run_leaves_the_running_to_the_program(read):
    program = CLI_MODULE.replace("    CLI(Task, Data)", "    cli = CLI(Task, Data, run=False)\n    {}")
    words = "python train.py --trainer.max_epochs 4 --data.batch_size 8"
    trained = read({"train.py": program.format("cli.trainer.fit(cli.model, datamodule=cli.datamodule)")}, words)
    assert (trained.is_training, trained.epochs, trained.batch_size) == (True, 4, 8)
    assert read({"train.py": program.format("cli.trainer.test(cli.model)")}, words).is_training is not True
