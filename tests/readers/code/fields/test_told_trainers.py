"""Trainers of libraries that nobody here knows are told their settings by the usual names."""

import pytest


@pytest.mark.parametrize(
    "lines",
    [
        "learner = Learner(n_epochs=30, batch_size=12, lr=0.004, optimizer='adam')\nlearner.fit(rows)",
        "learner = Learner()\nlearner.fit(rows, max_epochs=30, batch_size=12, learning_rate=0.004, optim='Adam')",
        "learner = Learner(optimizer='adam', training_args=dict(epochs=30, bs=12), optimizer_params={'lr': 0.004})\n"
        "learner.fit(rows, eval_batch_size=99, virtual_batch_size=3)",
        "told = {'n_epochs': 30, 'batch_size': 12, 'lr': 0.004, 'optimizer': 'adam'}\nLearner().trainNet(rows, told)",
        "Learner(optimizer='adam').train_net(rows, epochs=30, batch_size=12, lr=0.004)",
    ],
)
def test_settings_are_taken_from_the_call_and_from_what_made_the_trainer(read, lines):
    found = read({"go.py": f"from tidelearn import Learner\nrows = open('rows.csv')\n{lines}\n"}, "python go.py")
    assert (found.epochs, found.batch_size, found.learning_rate, found.optimizer) == (30.0, 12, 0.004, "Adam")


def test_the_call_is_nearer_than_the_making(read):
    program = "from tidelearn import Learner\nLearner(n_epochs=2).fit([], n_epochs=5)\n"
    assert read({"go.py": program}, "python go.py").epochs == 5.0


def test_an_unknown_trainer_chooses_its_device_itself(read):
    program = "import torch\nfrom tidelearn import Learner\nLearner(optimizer_fn=torch.optim.Adam).fit([], epochs=5)\n"
    assert read({"go.py": program}, "python go.py").num_gpus is None


def test_beside_a_loop_of_its_own_nothing_is_told(read):
    program = """
    import torch
    from tidelearn import Learner
    Learner(n_epochs=2, batch_size=7).fit([])
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for epoch in range(9):
        model(epoch).sum().backward()
        optimizer.step()
    """
    assert read({"go.py": program}, "python go.py").batch_size is None


def test_an_optimizer_may_be_told_by_its_class(read):
    code = "import torch\nfrom someones_nets import Net\n"
    code += "Net(max_epochs=7, lr=0.25, batch_size=4, optimizer=torch.optim.Adam).fit(rows, targets)\n"
    job = read({"train.py": code}, "python train.py")
    assert (job.optimizer, job.learning_rate, job.epochs) == ("Adam", 0.25, 7)


def test_what_is_named_after_training_and_told_nothing_of_it_trains_nothing(read):
    program = "from tidelearn import Learner\nlearner = Learner(n_epochs=30)\nlearner.train_mode({'on': True})\n"
    assert read({"go.py": program}, "python go.py").is_training is None


LIBRARY = "import torch\nimport fewshotlib\n{made}\nworker.{call}\n"


@pytest.mark.parametrize(
    ("made", "call", "trains"),
    [
        ("worker = fewshotlib.SAC(1)", "train(steps=4000)", True),
        ("worker = fewshotlib.SAC(1)", "train(epochs=3)", True),
        ("worker = fewshotlib.EditTrainer(1)", "run()", True),
        ("worker = fewshotlib.SAC(1)", "train()", None),
        ("worker = fewshotlib.SAC(1)", "train(mode=True)", None),
        ("worker = fewshotlib.Evaluator(1)", "run()", None),
    ],
)
def test_work_of_libraries_is_told_as_training(read, made, call, trains):
    assert read({"go.py": LIBRARY.format(made=made, call=call)}, "python go.py").is_training is trains
