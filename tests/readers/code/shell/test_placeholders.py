"""Words that the user is to fill in are open; redirections, lists, quoted text and variables stay what they are."""

import pytest

from schedmate.readers.code.shell.placeholders import with_open_words


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("bake.py --oven <oven-name> --heat 3", "bake.py --oven ${oven_name} --heat 3"),
        ("bake.py --oven <the big oven>", "bake.py --oven ${the_big_oven}"),
        ("bake.py --oven=<a/b.json> -o out/<name>/x", "bake.py --oven=${a_b_json} -o out/${name}/x"),
        (
            "bake.py --oven [oven-kind] --to [OVEN] --heat {heat}",
            "bake.py --oven ${oven_kind} --to ${OVEN} --heat ${heat}",
        ),
        (
            "bake.py --oven={BIG OVEN} --to {rye | wheat | spelt} x",
            "bake.py --oven=${BIG_OVEN} --to ${rye_wheat_spelt} x",
        ),
        ("bake.py --plan [plan.yaml] --trays [1,2]", "bake.py --plan ${plan_yaml} --trays [1,2]"),
        ("bake.py --plan </my/plan> --heat 3", "bake.py --plan ${my_plan} --heat 3"),
        ("bake.py --oven OVEN_NAME YOUR_BREAD", "bake.py --oven ${OVEN_NAME} ${YOUR_BREAD}"),
    ],
)
def test_what_is_to_be_filled_in_is_open(command, expected):
    assert with_open_words(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "bake.py < dough.txt > bread.txt",
        "bake.py <dough >bread",
        "bake.py </dev/null> /tmp/bread",
        "bake.py <dough>bread",
        "sort <dough.txt> bread.txt",
        "bake.py --say '<image> of OVEN_NAME'",
        "bake.py 'a <b' --heat 3",
        "{ bake.py; sort x; } | tee {a,b}",
        "OVEN_DIR=/a bake.py --oven $OVEN_DIR --trays [1,2] --kinds [rye] --grid {a,b}",
        "cat <<EOF\n<b>\nEOF",
        "bake.py optimizer=ADAM --env OVEN_V2",
    ],
)
def test_other_words_stay(command):
    assert with_open_words(command) == command


def test_an_open_word_sets_its_option_and_no_other(read):
    code = """
        import argparse
        import torch
        parser = argparse.ArgumentParser()
        parser.add_argument("--oven")
        parser.add_argument("--heat", type=float, default=0.5)
        parser.add_argument("--turns", type=int, default=5)
        args = parser.parse_args()
        net = torch.nn.Linear(2, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=args.heat)
        for epoch in range(args.turns):
            net(torch.zeros(1, 2)).sum().backward()
            optimizer.step()
        """
    job = read({"bake.py": code}, "python bake.py --oven <oven-name> --heat 0.25 --turns <turns>")
    assert (job.learning_rate, job.epochs) == (0.25, None)


def test_data_that_the_user_is_to_name_are_not_named_after_anything_else(read):
    code = """
        import argparse
        import torch
        from torch_geometric.datasets import TUDataset
        from torch_geometric.loader import DataLoader
        parser = argparse.ArgumentParser()
        parser.add_argument("--kind")
        args = parser.parse_args()
        net = torch.nn.Linear(2, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for batch in DataLoader(TUDataset("/tmp", name=args.kind), batch_size=4):
            net(batch.x).sum().backward()
            optimizer.step()
        """
    files = {"bake.py": code, "README.md": "We train on the QM9 dataset."}
    assert read(files, "python bake.py --kind DATA_NAME").dataset_name is None
    assert read(files, "python bake.py --kind MUTAG").dataset_name == "MUTAG"
