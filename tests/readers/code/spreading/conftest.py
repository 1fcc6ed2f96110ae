"""A training loop that tests put into their programs."""

import textwrap

import pytest

LOOP = """
model = torch.nn.Linear(4, 4)
{wrap}
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loader = torch.utils.data.DataLoader(range(99), batch_size={batch}, shuffle=True)
for epoch in range({epochs}):
    for batch in loader:
        model(batch).backward()
        optimizer.step()
"""


@pytest.fixture
def loop():
    """Write a loop, indented for where it goes."""

    def write(indent=0, wrap="model.cuda()", batch=16, epochs=3):
        return textwrap.indent(LOOP.format(wrap=wrap, batch=batch, epochs=epochs).strip(), " " * indent)

    return write
