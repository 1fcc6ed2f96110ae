"""Sentence Transformers: the older fit, which makes its optimizer itself."""

ENCODERS = """
    from sentence_transformers import InputExample, SentenceTransformer, losses
    from torch.utils.data import DataLoader

    model = SentenceTransformer("all-MiniLM-L6-v2")
    loader = DataLoader([InputExample(texts=["a", "b"])], shuffle=True, batch_size=24)
    loss = losses.MultipleNegativesRankingLoss(model)
    model.fit(train_objectives=[(loader, loss)], {told})
    """


def test_the_older_fit_of_sentence_encoders(read):
    found = read(
        {"train.py": ENCODERS.format(told="epochs=3, use_amp=True, optimizer_params={'lr': 1e-5}")}, "python train.py"
    )
    assert (found.batch_size, found.epochs, found.precision) == (24, 3, "fp16")
    assert (found.learning_rate, found.optimizer) == (1e-5, "AdamW")


def test_the_older_fit_of_sentence_encoders_untold(read):
    found = read({"train.py": ENCODERS.format(told="warmup_steps=10")}, "python train.py")
    assert (found.epochs, found.precision, found.learning_rate, found.optimizer) == (1, "fp32", 2e-5, "AdamW")
