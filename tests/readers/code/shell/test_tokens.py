"""Cut shell text into words and operators; a word keeps its quoting, so that it can be expanded later."""

SETTINGS = """
import json, torch
given = json.load(open("made.json"))
model = torch.nn.LSTM(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=given["rate"])
for epoch in range(given["epochs"]):
    model(1)[0].sum().backward()
    optimizer.step()
"""


def test_settings_that_a_script_writes_first_are_those_of_its_program(read):
    script = 'RATE=0.7\ncat > made.json <<EOF\n{\n  "rate": $RATE,\n  "epochs": 4\n}\nEOF\npython train.py\n'
    job = read({"train.py": SETTINGS, "run.sh": script}, "bash run.sh")
    assert (job.epochs, job.learning_rate) == (4, 0.7)
