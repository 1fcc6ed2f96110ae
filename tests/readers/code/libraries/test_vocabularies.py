"""Vocabularies of public tokenizers."""

import pytest

HEAD = "import tiktoken\nfrom transformers import AutoTokenizer, BertTokenizer, AutoModel\nimport sys\n"


@pytest.mark.parametrize(
    ("code", "size"),
    [
        ("AutoTokenizer.from_pretrained('gpt2').vocab_size", 50257),
        ("len(AutoTokenizer.from_pretrained('openai-community/gpt2'))", 50257),
        ("BertTokenizer.from_pretrained('bert-base-uncased').vocab_size", 30522),
        ("AutoTokenizer.from_pretrained(pretrained_model_name_or_path='t5-small').vocab_size", 32100),
        ("tiktoken.get_encoding('cl100k_base').n_vocab", 100277),
    ],
)
def test_public_tokenizers_know_how_many_words_they_have(outcome, code, size):
    assert outcome(f"{HEAD}x = {code}") == size


@pytest.mark.parametrize(
    "code",
    [
        "AutoTokenizer.from_pretrained('my/own').vocab_size",
        "AutoTokenizer.from_pretrained(sys.stdin.read()).vocab_size",
        "AutoModel.from_pretrained('gpt2').vocab_size",
        "AutoTokenizer.from_pretrained('someone/gpt2-other-words').vocab_size",
    ],
)
def test_others_do_not(follow, code):
    value = follow(f"{HEAD}x = {code}")[1]["x"]
    assert not isinstance(value.data, int)
