"""Models of transformers made from a configuration: by its settings, or as the one whose configuration they take."""

import pytest

from schedmate.readers.code.sizes.counting import count_parameters

CODE = """
from transformers import *
tokenizer = AutoTokenizer.from_pretrained("gpt2")
small = GPT2Config(n_layer=2, n_embd=64, vocab_size=100, n_positions=32)
changed = GPT2Config()
changed.n_layer = 6
net = {net}
"""


@pytest.mark.parametrize(
    ("net", "total"),
    [
        ("GPT2LMHeadModel(small)", (100 + 32 + 2) * 64 + 2 * (12 * 64 * 64 + 13 * 64)),
        ("AutoModelForCausalLM.from_config(small)", (100 + 32 + 2) * 64 + 2 * (12 * 64 * 64 + 13 * 64)),
        ("GPT2LMHeadModel(config=changed)", (50257 + 1024 + 2) * 768 + 6 * (12 * 768 * 768 + 13 * 768)),
        ("BertModel(BertConfig())", 109482240),
        ("DistilBertModel(DistilBertConfig())", 66362880),
        ("LlamaForCausalLM(LlamaConfig())", 6738415616),
        ("LlamaModel(LlamaConfig())", 6738415616 - 32000 * 4096),
        ("GPT2LMHeadModel(AutoConfig.from_pretrained('gpt2', vocab_size=len(tokenizer)))", 124000000),
        ("GPT2LMHeadModel(AutoConfig.from_pretrained('gpt2', vocab_size=100))", None),
        ("GPT2LMHeadModel(AutoConfig.from_pretrained('gpt2', n_layer=4))", None),
        ("GPT2LMHeadModel(GPT2Config(n_layer=unknown))", None),
        ("T5ForConditionalGeneration(T5Config(feed_forward_proj='gated-gelu'))", None),
        ("LlamaForCausalLM(LlamaConfig(**settings))", None),
        ("UnheardForCausalLM(UnheardConfig())", None),
    ],
)
def test_a_configuration_tells_the_size_of_its_model(follow, net, total):
    run, names = follow(CODE.replace("{net}", net))
    assert count_parameters(run, names["net"]) == total


SMALL = "BertConfig(num_hidden_layers=2)"


@pytest.mark.parametrize(
    "net",
    [
        f"models.bert.modeling_bert.BertLayer({SMALL})",
        f"models.bert.modeling_bert.BertEncoder({SMALL})",
        f"RobertaModel({SMALL})",
        "T5EncoderModel(T5Config())",
        "BartForCausalLM(BartConfig())",
        "BertForMaskedLM(BertConfig(add_cross_attention=True))",
    ],
)
def test_parts_and_halves_of_a_model_and_settings_that_are_not_known_are_not_counted(follow, net):
    run, names = follow(CODE.replace("{net}", net))
    assert count_parameters(run, names["net"]) is None


@pytest.mark.parametrize("change", ["net.resize_token_embeddings(len(tokenizer))", "small.update(read())"])
def test_what_changes_a_model_later_leaves_its_size_open(follow, change):
    run, names = follow(CODE.replace("{net}", "GPT2LMHeadModel(small)") + change)
    assert count_parameters(run, names["net"]) is None
