"""Signs that the rows of a table follow each other in time: its columns, windows cut out of it, calls for such data."""

import pytest


@pytest.mark.parametrize(("second", "name"), [("", "whale_songs"), ("pd.read_csv('other_birds.csv')\n", None)])
def test_data_are_named_after_the_one_table_that_is_read(read, second, name):
    code = (
        "import pandas as pd, torch\ntable = pd.read_csv('./data/whale_songs.csv')\n"
        + second
        + "net = torch.nn.LSTM(2, 2)\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for epoch in range(3):\n    net(1)[0].sum().backward()\n    optimizer.step()\n"
    )
    assert read({"train.py": code}, "python train.py").dataset_name == name
