"""Files of texts that code opens by itself and reads whole."""

import pytest

CODE = """
import torch
{reads}
net = torch.nn.LSTM(4, 4)
optimizer = torch.optim.Adam(net.parameters())
for step in range(3):
    net(torch.zeros(3, 4))[0].sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("reads", "name"),
    [
        ("text = open('data/wikitext-103/wiki.train.tokens').read()", "WikiText-103"),
        ("with open('sets/tinyshakespeare/all.txt') as file:\n    text = file.read()", "Shakespeare"),
        ("words = open('data/wikitext-103/vocab.txt').readlines()", None),
        ("classes = open('sets/imagenet/names.txt').read()", None),
        ("text = open('ponds/all.txt').read()", None),
        ("text = open('sets/tinyshakespeare/a.txt').read() + open('sets/wikitext-103/b.txt').read()", None),
    ],
)
def test_a_known_text_that_is_read_whole_is_the_data(read, reads, name):
    assert read({"go.py": CODE.format(reads=reads)}, "python go.py").dataset_name == name
