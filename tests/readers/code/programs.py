"""Pieces of programs that tests of several rooms put together: loops that train, networks, what opens a program."""

TORCH_HEAD = "import torch\nfrom torch.utils.data import DataLoader, TensorDataset\n"
TORCH_LOOP = """
def train(lr, batch_size, epochs):
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    loader = DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=batch_size, shuffle=True)
    for epoch in range(epochs):
        for (x,) in loader:
            loss = model(x).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
"""
