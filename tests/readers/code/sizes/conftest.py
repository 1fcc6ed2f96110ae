"""Networks whose parameters are counted."""

import pytest

from schedmate.readers.code.sizes.counting import count_parameters

HEAD = """
import copy
import torch
from collections import OrderedDict
from functools import partial
from torch import nn
from torchvision import models
"""


@pytest.fixture
def counted(follow):
    """Follow a program and count the network that it calls `net`; nothing where the count is open."""

    def count(code, words=""):
        run, names = follow(HEAD + code, words)
        return count_parameters(run, names["net"])

    return count
