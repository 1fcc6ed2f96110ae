"""What one reading of a program carries along: its files, what it met on the way, what it noted, and its budget."""

from tests.readers.code.programs import NET_STEPS, TWO_NETS


def test_what_a_program_loads_as_data_takes_no_room_from_its_code(read):
    code = "import json, parts\nrows = json.load(open('rows.json'))\n" + TWO_NETS + "net = Spinner()\n"
    code += "optimizer = torch.optim.SGD(net.parameters(), lr=parts.RATE)\n" + NET_STEPS
    rows = "[" + ", ".join(['"some words of a row"'] * 50_000) + "]"
    job = read({"train.py": code, "rows.json": rows, "parts.py": "RATE = 0.125\n"}, "python train.py")
    assert job.learning_rate == 0.125
