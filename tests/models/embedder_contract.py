"""What every embedder keeps to, whatever its kind; each kind's tests call this with a real one."""

import numpy as np

TEXTS = [
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
    "torch.OutOfMemoryError: CUDA out of memory on device 3",
    "Epoch 3 step 120/5000 loss 0.4132 lr 1e-4 0.21 s/step",
    "",
    "!?",
    "ошибка 失败 🤖",
    "word " * 50_000,
    "a" * 100_000,
    "\x00\x1b[31m\ud800 lone surrogate",
]


def check_contract(embedder, texts=TEXTS):
    vectors = embedder.embed(texts)
    assert vectors.shape == (len(texts), embedder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert embedder.embed([]).shape == (0, embedder.dimensions)
    np.testing.assert_allclose(embedder.embed(texts[::-1])[::-1], vectors, atol=2e-3)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2], "two ways to run out of memory are nearer than progress"
    assert embedder.name == embedder.name != ""
