"""Frames of a library around any encoder."""

import pytest

CODE = """
from sentence_transformers import CrossEncoder, InputExample, SentenceTransformer, losses, models
from torch.utils.data import DataLoader
made = {made}
rows = DataLoader([InputExample(texts=["a", "b"], label=0.8)], batch_size=16)
made.fit({how}, epochs=4)
"""
PAIRS = "train_objectives=[(rows, losses.CosineSimilarityLoss(made))]"


@pytest.mark.parametrize(
    ("made", "how", "name", "fine"),
    [
        ("SentenceTransformer('all-MiniLM-L6-v2')", PAIRS, "all-MiniLM-L6-v2", "text embedding"),
        (
            "SentenceTransformer(modules=[models.Transformer('bert-base-uncased'), models.Pooling(768)])",
            PAIRS,
            "bert-base-uncased",
            "text embedding",
        ),
        (
            "CrossEncoder('cross-encoder/ms-marco-MiniLM-L-6-v2', num_labels=1)",
            "train_dataloader=rows",
            "cross-encoder/ms-marco-MiniLM-L-6-v2",
            "reranking",
        ),
    ],
)
def test_a_frame_is_named_after_its_encoder(read, made, how, name, fine):
    job = read({"go.py": CODE.format(made=made, how=how)}, "python go.py")
    assert (job.model_name, job.model_type, job.task_fine) == (name, "transformer", fine)
