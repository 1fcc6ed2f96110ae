"""What names tell of a task: the class's own, a head on a model of other sequences, an algorithm of several agents."""

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
