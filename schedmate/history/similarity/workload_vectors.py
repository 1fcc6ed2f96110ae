"""A workload as one vector, so that an index finds candidates by cosine; they are then compared field by field.

The vector is made of blocks (model, data, task, sizes), each as long as its weight, so that near-equal values of a
light field cannot outweigh a different model, as they do where the whole metadata is embedded as one text.
"""

import math
from functools import cache
from itertools import starmap

import numpy as np

from schedmate.history.similarity.fields import name_of, number_of
from schedmate.history.similarity.names import NameCloseness
from schedmate.models.embedders.embedder import Vectors
from schedmate.schemas import Workload

BLOCKS = (("model_name", 3.0), ("dataset_name", 2.5), ("task_fine", 2.0), ("model_type", 1.0))
BLOCK = 48
NUMBERS = (("param_size", 1.5), ("num_gpus", 0.5), ("global_batch_size", 0.5), ("epochs", 0.5), ("total_steps", 0.5))

PERIODS = (16.0, 48.0, 144.0)
"""Octaves after which a number's angle comes round: near numbers point one way, far ones do not."""
DIMENSIONS = BLOCK * len(BLOCKS) + 2 * len(PERIODS) * len(NUMBERS) + 2

VERSION = 1
"""Changes whenever the vectors do; an index built with another is built anew."""


def canonical_text(workload: Workload) -> str:
    """Write a workload as the paper embeds it: its known fields as JSON, in one order."""
    return workload.model_dump_json(exclude={"evidence"}, exclude_none=True, exclude_defaults=True)


def workload_vector(workload: Workload, names: NameCloseness) -> Vectors:
    """Put the blocks beside each other, at length 1; an unknown field is a block of zeros."""
    parts = [name_block(name_of(workload, name), weight, names) for name, weight in BLOCKS]
    parts += list(starmap(number_block, ((number_of(workload, name), weight) for name, weight in NUMBERS)))
    # A little that all share keeps the vector of a job of which nothing is known from being zero.
    parts.append(np.array([0.3, 0.0] if workload.is_training is not False else [0.3, 1.4], np.float32))
    vector = np.concatenate(parts)
    unit: Vectors = (vector / np.linalg.norm(vector)).astype(np.float32)
    return unit


def name_block(name: str, weight: float, names: NameCloseness) -> Vectors:
    """Project a name's vector to the block's size."""
    if not name:
        return np.zeros(BLOCK, np.float32)
    vector = names.vector(name)
    block = projection(len(vector)) @ vector
    length = float(np.linalg.norm(block)) or 1.0
    scaled: Vectors = (block * (math.sqrt(weight) / length)).astype(np.float32)
    return scaled


def number_block(number: float | None, weight: float) -> Vectors:
    """Write a number's size as angles."""
    block = np.zeros(2 * len(PERIODS), np.float32)
    if number is not None:
        octaves = math.log2(max(number, 0.25))
        angles = np.array([2 * math.pi * octaves / period for period in PERIODS])
        block[:] = np.concatenate([np.cos(angles), np.sin(angles)]) * math.sqrt(weight / len(PERIODS))
    return block


@cache
def projection(dimensions: int) -> Vectors:
    """Give a fixed matrix of signs; the raw stream of PCG64 is the same on every machine and version."""
    bits = np.random.PCG64(20_241).random_raw(BLOCK * dimensions)
    signs = (np.asarray(bits, np.uint64) >> np.uint64(63)).astype(np.float32) * 2 - 1
    matrix: Vectors = signs.reshape(BLOCK, dimensions) / np.float32(math.sqrt(BLOCK))
    return matrix
