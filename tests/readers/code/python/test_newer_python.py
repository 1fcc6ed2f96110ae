"""What came with Python 3.12 is read by older ones too, whole: no line of it is lost."""

LOOP = """
import dataclasses
import torch
from torch.utils.data import DataLoader

type Table[T] = dict[str, list[T]]


@dataclasses.dataclass
class Settings[ModelT: torch.nn.Module, RateT]:
    rate: float = 0.25
    steps: int = 70
    size: int = 6

    def first[T](self, items: list[T]) -> T:
        return items[0]


def train(settings: Settings) -> None:
    model = torch.nn.LSTM(2, 2)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=settings.first([settings.rate]))
    told = {"name": "x"}
    data = iter(DataLoader(range(9), batch_size=settings.size))
    for _ in range(settings.steps):
        for part in parts(data):
            model(part).sum().backward()
        print(f"{told["name"]} {told.get("rest", "none")}")
        optimizer.step()


train(Settings())
"""


def test_type_parameters_and_quotes_inside_formatted_texts_hide_nothing(read):
    job = read({"train.py": LOOP}, "python train.py")
    assert (job.is_training, job.learning_rate, job.batch_size, job.precision) == (True, 0.25, 6, "fp32")


def test_either_quote_may_stand_inside_formatted_texts(read):
    other = LOOP.replace("""f"{told["name"]} {told.get("rest", "none")}\"""", "f'{told['name']} {told.get('rest')}'")
    assert other != LOOP
    job = read({"train.py": other}, "python train.py")
    assert (job.is_training, job.learning_rate, job.batch_size) == (True, 0.25, 6)


def test_a_loop_without_a_named_counter_counts_what_its_bound_is_called(read):
    job = read({"train.py": LOOP}, "python train.py")
    assert (job.total_steps, job.epochs) == (70, None)
    named = LOOP.replace("steps", "n_epochs")
    job = read({"train.py": named}, "python train.py")
    assert job.epochs == 70


def test_formatted_texts_of_both_quotes_may_share_a_line(read):
    one = """f"{told["name"]} {told.get("rest", "none")}\""""
    both = LOOP.replace(one, """f"{told["name"]} {told['rest']}", f'{settings.size}', "don't {" """)
    assert both != LOOP
    job = read({"train.py": both}, "python train.py")
    assert (job.is_training, job.learning_rate, job.batch_size) == (True, 0.25, 6)
