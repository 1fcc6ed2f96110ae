"""Numbers that only an evaluation takes are not the training's, wherever they are written."""

import pytest

from schedmate.readers.code.evidence.places_of_evaluation import is_module_of_evaluation

TRAIN = """
import torch
{imports}
class Rows:
    def __init__(self, rows):
        self.rows = rows
    def generate(self, batch_size):
        for at in range(0, len(self.rows), batch_size):
            yield self.rows[at : at + batch_size]

{settings}
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
train_rows, val_rows = Rows(torch.ones(64, 2)), Rows(torch.ones(8, 2))
for epoch in range(3):
    for x in train_rows.generate({size}):
        net(x).sum().backward()
        opt.step()
{after}
"""


def program(settings="batch_size = 16", size="batch_size=batch_size", after="", imports=""):
    return {"main.py": TRAIN.format(settings=settings, size=size, after=after, imports=imports)}


def test_what_the_data_of_an_evaluation_are_cut_into_is_not_the_batch(read):
    after = "for x in val_rows.generate(batch_size=1):\n    print(net(x))"
    assert read(program(after=after), "python main.py").batch_size == 16


def test_a_product_counts_as_one_number(read):
    after = "for x in val_rows.generate(batch_size=8 * 4):\n    print(net(x))"
    assert read(program(after=after), "python main.py").batch_size == 16


PREDICT = """
def predict_all(net, rows):
    batch_size = 500
    return [net(x) for x in rows.generate(batch_size)]
"""
FIT = """
def fit(net, rows, val_rows, batch_size):
    for x in rows.generate(batch_size):
        net(x).sum().backward()
"""


def test_what_a_function_of_predictions_gives_a_name_of_its_own_is_not_the_batch(read):
    files = program(settings=f"batch_size = 16{PREDICT}", after="predict_all(net, val_rows)")
    assert read(files, "python main.py").batch_size == 16


def test_a_call_that_trains_and_is_given_data_to_test_by_keeps_its_batch(read):
    files = program(FIT, size="4", after="fit(net, train_rows, val_rows, batch_size=32)")
    assert read(files, "python main.py").batch_size == 32


def test_a_model_of_a_module_of_tests_is_not_what_is_trained(read):
    files = program(imports="import qa_tests\nqa_tests.score('a', 'b')", settings="")
    files["qa_tests.py"] = "def score(one, two):\n    model_name = 'distilbert-base-uncased'\n    return model_name\n"
    assert read(files, "python main.py").model_name == "Linear"


@pytest.mark.parametrize(
    ("path", "of_evaluation"),
    [
        ("lib/evaluate.py", True),
        ("lib/qa_tests.py", True),
        ("metrics/fid.py", True),
        ("lib/predict.py", True),
        ("lib/train_and_test.py", False),
        ("lib/latest.py", False),
        ("lib/data.py", False),
    ],
)
def test_modules_by_their_names(path, of_evaluation):
    assert is_module_of_evaluation(path) is of_evaluation
