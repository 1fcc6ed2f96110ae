"""Command lines that getopt cuts."""

import pytest

PROGRAM = """
import getopt, sys
import torch
rate, batch, epochs, name = 0.1, 8, 5, "none"
options, rest = getopt.getopt(sys.argv[1:], "hr:b:v", ["help", "epochs=", "verbose"])
for option, value in options:
    if option in ("-h", "--help"):
        sys.exit()
    elif option == "-r":
        rate = float(value)
    elif option == "-b":
        batch = int(value)
    elif option == "--epochs":
        epochs = int(value)
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=rate)
loader = torch.utils.data.DataLoader(range(80), batch_size=batch)
for epoch in range(epochs):
    for rows in loader:
        net(rows).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("words", "rate", "batch", "epochs"),
    [
        ("", 0.1, 8, 5),
        ("-r 0.5 -b16 --epochs 3", 0.5, 16, 3),
        ("-vb 4 --epochs=2", 0.1, 4, 2),
        ("--ep 7 -- -b 4", 0.1, 8, 7),
        ("first -b 4", 0.1, 8, 5),
    ],
)
def test_options_of_getopt(read, words, rate, batch, epochs):
    job = read({"go.py": PROGRAM}, f"python go.py {words}")
    assert (job.learning_rate, job.batch_size, job.epochs) == (rate, batch, epochs)


def test_words_behind_others_count_for_the_gnu_form(read):
    program = PROGRAM.replace("getopt.getopt(", "getopt.gnu_getopt(")
    assert read({"go.py": program}, "python go.py first -b 4").batch_size == 4
