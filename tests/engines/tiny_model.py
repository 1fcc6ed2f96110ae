"""Make a chat model of half a million random weights: it says nonsense, but a server or a library takes it for real.

python tests/engines/tiny_model.py FOLDER        (needs transformers and torch)
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

VOCABULARY = 2048
CONTEXT_TOKENS = 8192
END_OF_TEXT, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
MARKS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")
"""Added as whole tokens, for vLLM's tool parsers look for them as such."""

CHAT_TEMPLATE = """
{%- macro turn(role, text) %}{{ '<|im_start|>' + role + '\\n' + text + '<|im_end|>\\n' }}{% endmacro %}
{%- if tools %}
  {{- turn('system', 'Call tools so: <tool_call>{"name": ..., "arguments": {...}}</tool_call> ' + (tools | tojson)) }}
{%- endif %}
{%- for message in messages %}
  {%- set ns = namespace(text=message.content or '') %}
  {%- for call in message.tool_calls or [] %}
    {%- set ns.text = ns.text + '\\n<tool_call>' + (call.function | tojson) + '</tool_call>' %}
  {%- endfor %}
  {%- if message.role == 'tool' %}
    {{- turn('user', '<tool_response>' + ns.text + '</tool_response>') }}
  {%- else %}
    {{- turn(message.role, ns.text) }}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{% endif %}
"""


def sentences(count: int = 4000) -> Iterator[str]:
    """Write text of the kind that the project reads, for the tokenizer to learn its pieces from."""
    chance = random.Random(7)
    words = ["job", "memory", "rank", "node", "GPU", "error", "step", "loss", "reading", "closed", "socket", "out of"]
    for number in range(count):
        yield " ".join(chance.choices(words, k=8))
        yield f'{{"cause": "{chance.choice(words)}", "line": {number}, "note": "step {chance.random():.4f}"}}'
        yield f"    raise ValueError(f'{chance.choice(words)}: expected {number}, got {{value!r}}')"


def make_tokenizer(folder: Path) -> None:
    """Train a byte-level tokenizer and give it the chat template."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY - len(MARKS),
        special_tokens=[END_OF_TEXT, START, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences(), trainer)
    tokenizer.add_tokens([AddedToken(mark, special=False, normalized=False) for mark in MARKS])
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=END, pad_token=END_OF_TEXT, model_max_length=CONTEXT_TOKENS
    )
    wrapped.chat_template = CHAT_TEMPLATE
    wrapped.save_pretrained(folder)


def make_weights(folder: Path) -> None:
    """Draw the weights; the vocabulary is the tokenizer's own, which training may leave a little smaller."""
    import torch
    from transformers import AutoTokenizer, Qwen2Config, Qwen2ForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    torch.manual_seed(7)
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=CONTEXT_TOKENS,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    Qwen2ForCausalLM(config).save_pretrained(folder)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    make_tokenizer(target)
    make_weights(target)
    print(f"a tiny random model lies in {target}")
