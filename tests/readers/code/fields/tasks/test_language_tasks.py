"""What a job does with a language model beside learning a language: it writes, or tunes what was learned before."""

TUNE = """
import torch
from transformers import AutoModelForCausalLM
from datasets import load_dataset
model = AutoModelForCausalLM.{made}
data = load_dataset("{data}")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
for batch in data:
    model(batch).loss.backward()
    optimizer.step()
"""
WEIGHTS = "from_pretrained('acme/Llama-2-7b-hf')"


def tuned(read, made=WEIGHTS, data="acme/notes", script="train.py"):
    return read({script: TUNE.format(made=made, data=data)}, f"python {script}").task_fine


def test_a_language_model_that_starts_from_weights_is_fine_tuned(read):
    assert tuned(read) == "language modeling (fine-tuning)"
    assert tuned(read, made="from_config(None)") == "language modeling"


def test_what_is_named_after_tuning_is_fine_tuned(read):
    assert tuned(read, made="from_config(None)", script="finetune_llama.py") == "language modeling (fine-tuning)"
    assert tuned(read, made="from_config(None)", script="floral.py") == "language modeling"


PARTS = """
import torch
class {name}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(3, 64, 1)
    def forward(self, x):
        return self.conv(x)
net = {name}().cuda()
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    torch.nn.functional.cross_entropy(net(1), 2).backward()
    optimizer.step()
"""


def test_an_own_language_model_may_be_tuned_by_the_scripts_name(read):
    code = PARTS.format(name="LlamaForCausalLM")
    assert read({"ft_llama.py": code}, "python ft_llama.py").task_fine == "language modeling (fine-tuning)"
    assert read({"draft_llama.py": code}, "python draft_llama.py").task_fine == "language modeling"
