"""Whatever lies in a repository, the answer is honest and comes soon."""

import os
import textwrap
import time

import pytest

from schedmate import extract
from schedmate.errors import InputError
from schedmate.readers.code.reader import read_code
from schedmate.tools.repository import Repository

PLAIN = """
    import torch
    import yaml
    config = yaml.safe_load(open("config.yaml"))
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"])
    for epoch in range(config["epochs"]):
        model(torch.zeros(4)).sum().backward()
        optimizer.step()
"""

PROGRAM = """
    import torch
    {before}
    model = torch.nn.Sequential({layers})
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in torch.utils.data.DataLoader(data, batch_size=8):
            model(x).sum().backward()
            optimizer.step()
"""

BOMB = "y0: &y0 {a: 1}\n" + "".join(f"y{i + 1}: &y{i + 1} [*y{i}, *y{i}]\n" for i in range(40))
WIDE = "y0: &y0 {a: 1}\n" + "".join(
    f"y{i + 1}: &y{i + 1} {{" + ", ".join(f"k{j}: *y{i}" for j in range(30)) + "}\n" for i in range(7)
)
MERGED = "y0: &y0 {a: 1}\n" + "".join(
    f"y{i + 1}: &y{i + 1}\n  <<: [*y{i}, *y{i}]\n  k{i}: *y{i}\n  j{i}: *y{i}\n" for i in range(30)
)
"""Aliases that multiply: read as a tree, these have more nodes than a machine has bytes."""


@pytest.mark.parametrize("name", ["absent", "file.txt"])
def test_no_folder_is_one_clear_error(tmp_path, name):
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(InputError) as raised:
        extract(tmp_path / name, command="python train.py")
    assert raised.value.hint


def test_a_command_for_another_folder_is_read_as_from_there_and_says_so(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "train.py").write_text("import sklearn.svm\nsklearn.svm.SVC().fit([[1]], [2])\n")
    (tmp_path / "src" / "run.sh").write_text("python train.py\n")
    for command in ("python train.py", "bash run.sh"):
        found = extract(tmp_path, command=command)
        assert any("is only in src: read as if it were started there" in note for note in found.notes)
        assert found.as_record()["framework"] == "scikit-learn"
    assert not any("only in" in note for note in extract(tmp_path, command="python train.py", workdir="src").notes)


TRAINS = "import torch\noptimizer = torch.optim.SGD(torch.nn.Linear(2, 3).parameters(), lr={})\noptimizer.step()\n"


def test_a_script_that_is_only_elsewhere_does_not_move_its_caller(read):
    files = {"train.py": TRAINS.format(0.1), "old/train.py": TRAINS.format(0.9), "old/prepare.sh": "echo ready\n"}
    assert read(files, "bash prepare.sh && python train.py").learning_rate == 0.1


def test_a_tool_s_module_is_no_file_of_its_name(read):
    assert read({"tools/build.py": TRAINS.format(0.1)}, "python -m build").learning_rate is None
    assert read({"tools/learn.py": TRAINS.format(0.1)}, "python -m learn").learning_rate == 0.1


def test_a_command_for_one_of_several_folders_is_told_which(tmp_path):
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "train.py").write_text("print('hello')\n")
    told = "train.py was not found here, but in first, second: try --workdir first"
    assert told in extract(tmp_path, command="python train.py").notes


def test_an_empty_folder_has_no_job(tmp_path):
    with pytest.raises(InputError, match="nothing that looks like a job"):
        extract(tmp_path)
    answer = extract(tmp_path, command="python train.py")
    assert answer.workload.model_dump(exclude={"evidence", "extra"}, exclude_none=True) in ({}, {"num_nodes": 1})
    assert any("was not found" in note for note in answer.notes)


@pytest.mark.parametrize(
    "command",
    [
        "python absent.py --lr 0.1",
        "bash absent.sh",
        "sbatch absent.sbatch",
        "torchrun --nproc_per_node=8 absent.py",
        "accelerate launch",
        "python -m absent.module",
        "''",
        ";;;",
        "$(",
        "'unclosed",
        "python train.py " + "--x " * 5000,
        "\x00\x01",
        "for i in 1 2; do",
        "if true; then python a.py",
        "cd ../../../.. && python etc/passwd",
        "python /etc/passwd",
        "case",
        "((((((",
        "function",
        "a() { a; }; a",
        "while true; do python x.py; done",
        "eval eval eval eval",
    ],
)
def test_odd_commands_invent_nothing(tmp_path, command):
    answer = extract(tmp_path, command=command, engine="built-in").workload
    for name in ("model_name", "batch_size", "learning_rate", "optimizer", "dataset_name", "epochs", "precision"):
        assert getattr(answer, name) is None, (name, getattr(answer, name))
    assert answer.is_training is not True


@pytest.mark.parametrize(
    ("config", "epochs"),
    [
        ("lr: 0.1\nepochs: 3\n", 3),
        ("lr: 0.1\nepochs: 3\nbroken: [1, 2\nx: :\n", 3),
        ("lr: [\n", None),
        ("\t\tlr: 1", None),
        ("a: &a [*a]\nepochs: 5\nlr: 1\n", 5),
        (BOMB + "epochs: 4\nlr: 1", 4),
        (WIDE + "epochs: 4\nlr: 1", 4),
        (MERGED + "epochs: 4\nlr: 1", 4),
        ("[" * 200_000, None),
        ("- " * 50_000, None),
        ("!!python/object/apply:os.system ['touch owned']", None),
        ("", None),
    ],
    ids=["fine", "broken end", "broken", "tabs", "itself", "bomb", "wide", "merged", "deep", "dashes", "tag", "empty"],
)
def test_configurations_of_any_kind(read, tmp_path, config, epochs):
    job = read({"train.py": PLAIN, "config.yaml": config}, "python train.py")
    assert job.epochs == epochs
    assert job.optimizer == "SGD"
    assert not (tmp_path / "owned").exists()


def test_python_2_is_read(read):
    source = """
        import torch, argparse
        parser = argparse.ArgumentParser()
        parser.add_argument('--lr', default=0.1, type=float)
        args = parser.parse_args()
        print "starting", args.lr
        try:
            mode = 0777
        except Exception, error:
            raise ValueError, "no"
        model = torch.nn.Linear(2, 2)
        opt = torch.optim.Adam(model.parameters(), lr=args.lr)
        for epoch in xrange(7):
            model(x).backward()
            opt.step()
            print >>log, epoch
    """
    job = read({"train.py": source}, "python2 train.py --lr 0.2")
    assert (job.optimizer, job.learning_rate, job.epochs) == ("Adam", 0.2, 7)


@pytest.mark.parametrize(
    "source",
    [
        "def f(:\n",
        "\x00\x01\x02",
        "x = " + "(" * 3000,
        "x = " + "-" * 100_000 + "1",
        "while True: pass",
        "def f(): return f()\nf()",
        "x = 10 ** 10 ** 10\ny = 'a' * 10**12\nz = [0] * 10**12\nw = 1 << 10**9",
        "x = '%1000000000d' % 5\ny = '{:>1000000000}'.format(1)\nz = f'{1:1000000000}'",
        "for a in range(10**9):\n  for b in range(10**9):\n    for c in range(10**9):\n      print(a)",
        "x = [[i for i in range(500)] for j in range(500)]\nx = x * 400\nx = x + x + x",
        "import train\nfrom train import *\nimport os\nos.system('touch owned')\nopen('owned', 'w')",
        "exec('x = 1')\neval('2')\nexec(open('train.py').read())",
        "class A(A): pass\nA()",
        "a = []\na.append(a)\nb = {}\nb['b'] = b\nprint(a, b)\nfor x in a: a.append(1)",
        "import sys\nsys.exit()",
        "raise SystemExit(3)",
        "x = y = z\nz()\nz.a.b.c[1](2)\ndel q\nassert False",
        "lambda: (yield)\nasync def f(): await x\n@z\n@z()\ndef g(): pass\ng()",
        "match x:\n  case {'a': [1, *r]}: pass\n  case _: pass",
        "f" + ".a" * 3000,
        "s = 'x'\n" + "s = s + s\n" * 60,
        "l = [1]\n" + "l = l + l\n" * 40,
        "d = {}\n" + "d = dict(d, **{str(len(d)): d})\n" * 60,
    ],
)
def test_programs_of_any_kind_come_to_an_end(tmp_path, source):
    (tmp_path / "train.py").write_text(source)
    started = time.process_time()
    answer = extract(tmp_path, command="python train.py", engine="built-in")
    assert time.process_time() - started < 30
    assert answer.workload.is_training is not True
    assert not (tmp_path / "owned").exists()


def test_gigantic_and_binary_files_are_named_not_read(tmp_path):
    (tmp_path / "train.py").write_text("from big import x\nfrom blob import y\nprint(x, y)\n")
    (tmp_path / "big.py").write_text("x = 1\n" * 600_000)
    (tmp_path / "blob.py").write_bytes(b"\x00\x01" * 1000)
    answer = extract(tmp_path, command="python train.py", engine="built-in")
    assert any("big.py" in note for note in answer.notes)
    assert any("blob.py is binary" in note for note in answer.notes)


def test_links_and_pipes_in_a_repository_do_not_lead_out_or_block(tmp_path):
    root = tmp_path / "repo"
    root.mkdir()
    (tmp_path / "outside.py").write_text("lr = 123456\n")
    os.symlink(tmp_path / "outside.py", root / "settings.py")
    os.symlink(root, root / "loop")
    os.mkfifo(root / "pipe.yaml")
    (root / "train.py").write_text("import settings, yaml\nprint(settings.lr)\nyaml.safe_load(open('pipe.yaml'))\n")
    answer = extract(root, command="python train.py", engine="built-in")
    assert "123456" not in answer.model_dump_json()
    assert answer.files_read == ("train.py",)
    with pytest.raises(InputError, match="nothing that looks like a job"):
        extract(root)


def test_configurations_that_include_each_other(read):
    files = {
        "train.py": """
            from mmengine.config import Config
            cfg = Config.fromfile("a.py")
        """,
        "a.py": "_base_ = ['b.py']\nlr = 1\n",
        "b.py": "_base_ = 'a.py'\nepochs = 2\n",
    }
    files["train.py"] += """
            import torch
            optimizer = torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=cfg.lr)
            for epoch in range(cfg.epochs):
                loss.backward()
                optimizer.step()
    """
    job = read(files, "python train.py")
    assert (job.learning_rate, job.epochs) == (1.0, 2.0)


SHELLS = {
    "a variable that doubles": "X=a\n" + "X=$X$X\n" * 100 + "python train.py --x $X\n",
    "an array that doubles": "A=(a b)\n" + 'A=("${A[@]}" "${A[@]}")\n' * 30 + 'python train.py "${A[@]}"\n',
    "substitutions": "echo " + "$(" * 3_000,
    "parameters": "python train.py --x " + "${X:-" * 3_000 + "}" * 3_000 + "\n",
    "quotes": "echo " + '"$(' * 2_000,
    "branches": "if true; then " * 2_000 + "python a.py;" + " fi;" * 2_000,
    "braces": "{ " * 5_000 + "python a.py; " + "}; " * 5_000,
    "brackets": "( " * 5_000,
    "functions": "f() { f | f & }; f; g() { g; g; }; g; h() { eval h; h; }; h\n",
    "itself": 'eval "$(cat run.sh)"\nsource run.sh\nbash run.sh\nwhile :; do . ./run.sh; done\n',
    "here-documents": "cat <<A <<B <<C\n" * 1_000,
    "patterns": "case " + "a" * 5_000 + " in " + "*a" * 100 + "b) python x.py;; esac\n",
    "one line": ";".join(f"python train.py --lr 0.{n}" for n in range(8_000)),
    "arithmetic": "X=$((" + "1+" * 3_000 + "1))\nY=$((2**9999999999))\nZ=$((1<<999999999))\npython train.py $X\n",
}


@pytest.mark.parametrize("name", SHELLS)
def test_shell_without_end(tmp_path, name):
    (tmp_path / "run.sh").write_text(SHELLS[name])
    (tmp_path / "train.py").write_text("print(1)\n")
    started = time.process_time()
    answer = extract(tmp_path, command="bash run.sh", engine="built-in")
    assert time.process_time() - started < 30
    assert answer.workload.is_training is not True


LOOPS = {
    "make a": {"Makefile": "a: b\n\t$(MAKE) b\nb: a\n\t$(MAKE) a\nX = $(X) $(X)\nY := $(Y)$(Y)\n"},
    "just a": {"justfile": "a: b\n    just b\nb: a\n    just a\n"},
    "pixi run a": {"pixi.toml": '[tasks]\na = "pixi run b"\nb = "pixi run a"\n'},
    "kubectl apply -f a.yaml": {"a.yaml": "spec:\n  containers:\n  - command: [kubectl, apply, -f, a.yaml]\n"},
    "sky launch a.yaml": {"a.yaml": "run: sky launch a.yaml\n"},
    "sbatch a.sh": {"a.sh": "#!/bin/bash\n#SBATCH -N 2\nsbatch a.sh\nsbatch --wrap 'sbatch a.sh'\n"},
    "xargs xargs xargs make a": {"Makefile": "a:\n\txargs make a\n"},
}


@pytest.mark.parametrize("command", LOOPS)
def test_recipes_that_start_themselves(write, command):
    root = write(LOOPS[command])
    started = time.process_time()
    answer = extract(root, command=command, engine="built-in")
    assert time.process_time() - started < 30
    assert answer.workload.is_training is not True


SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
SECRETS = (".env", ".netrc", "key.pem", "id_rsa", "credentials.json", ".git/config", ".aws/credentials", "hf_token.txt")


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize(
    "command",
    [
        "source {name}; python train.py --x $KEY",
        "python train.py --x $(cat {name})",
        "bash {name}",
        "python {name}",
        "python train.py @{name} --config {name}",
        "make -f {name}",
        "kubectl apply -f {name}",
        "docker run --env-file {name} image python train.py",
        "deepspeed --hostfile {name} train.py",
        "accelerate launch --config_file {name} train.py",
        "torchrun link",
    ],
)
def test_secrets_are_not_read_whoever_names_them(write, name, command):
    program = f"""
        import argparse, json, yaml
        parser = argparse.ArgumentParser(fromfile_prefix_chars="@")
        parser.add_argument("--config")
        args = parser.parse_known_args()[0]
        a = yaml.safe_load(open(args.config or "{name}"))
        b = json.load(open("{name}"))
        c = open("{name}").read()
        exec(open("{name}").read())
        print(a, b, c)
    """
    root = write({"train.py": program, name: f"KEY={SECRET}\n"})
    os.symlink(root / name, root / "link")
    answer = extract(root, command=command.format(name=name), engine="built-in")
    assert SECRET not in answer.model_dump_json()
    assert name not in answer.files_read
    assert "link" not in answer.files_read


def test_scripts_that_call_each_other(write):
    root = write({"a.sh": "bash b.sh\npython x.py\n", "b.sh": "source a.sh\n./a.sh\n", "x.py": "print(1)\n"})
    reading = read_code(Repository(root), "bash a.sh")
    assert any("calls itself" in note for note in reading.notes)


def test_imports_in_a_circle(read):
    files = {
        "train.py": "from a import value\nimport torch\n",
        "a.py": "from b import value\n",
        "b.py": "from a import value\n",
        "c/__init__.py": "from . import d\nfrom .d import e\n",
        "c/d.py": "from c import d\n",
    }
    assert read(files, "python train.py").is_training is not True


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("config.yaml", None, "config.yaml is not in the repository: what it sets is unknown"),
        ("config.yaml", "lr: 0.1\nmore: 1\nepochs: [3\n  bad: :\n", "config.yaml is broken: read as far as line 2"),
        ("config.yaml", "\x00\x01" * 400, "config.yaml is binary"),
        ("config.yaml", "lr: 0.1\nepochs: 3\n", ""),
    ],
)
def test_a_configuration_that_cannot_be_read_is_said(tmp_path, name, text, told):
    (tmp_path / "train.py").write_text(textwrap.dedent(PLAIN))
    if text is not None:
        (tmp_path / name).write_text(text)
    answer = extract(tmp_path, command="python train.py")
    assert [note for note in answer.notes if name in note] == ([told] if told else [])
    assert (answer.workload.epochs == 3) == (told == "")


@pytest.mark.parametrize(
    "header",
    [
        "# Copyright 2024 The Authors. All rights reserved.\n#\n# Licensed under the Apache License\n\n",
        '"""Train.\n\nCopyright 2024 The Authors.\n"""\n',
        "#!/usr/bin/env python\n\n# Copyright 2024\n",
        "\n\n",
    ],
)
def test_no_quote_is_a_licence_header(tmp_path, header):
    (tmp_path / "serve.py").write_text(f"{header}import transformers\npipe = transformers.pipeline('fill-mask')\n")
    workload = extract(tmp_path, command="python serve.py").workload
    quotes = [proof.quote for proofs in workload.evidence.values() for proof in proofs]
    assert quotes
    assert not [quote for quote in quotes if "Copyright" in quote or quote.startswith(("#", '"""'))]


@pytest.mark.parametrize("odd", ["0", "-5", "float('inf')", "float('nan')", "1e308", "10**400"])
def test_widths_that_no_layer_has_are_not_counted(read, odd):
    layers = f"torch.nn.Conv2d({odd}, 8, 3, groups={odd}), torch.nn.LSTM({odd}, 4), torch.nn.Conv2d(3, 8, {odd})"
    found = read({"train.py": PROGRAM.format(layers=layers, before="")}, "python train.py")
    assert (found.param_size, found.epochs) == (None, 3)


def test_a_window_of_keras_that_does_not_move_is_not_counted(read):
    program = """
        from tensorflow import keras
        layers = [keras.layers.Conv2D(8, 3, strides=0, input_shape=(28, 28, 1)), keras.layers.Flatten()]
        model = keras.Sequential([*layers, keras.layers.Dense(10)])
        model.compile("adam", loss="mse")
        model.fit(x, y, epochs=3)
    """
    found = read({"train.py": program}, "python train.py")
    assert (found.param_size, found.epochs) == (None, 3)


@pytest.mark.parametrize("before", ["'a b'.split(' ', 10**30)", "'a'.expandtabs(10**30)", "'a'.ljust(10**30)"])
def test_numbers_that_no_machine_holds_end_no_reading(read, before):
    program = PROGRAM.format(layers="torch.nn.Linear(4, 4)", before=before)
    assert read({"train.py": program}, "python train.py").epochs == 3


def test_an_option_that_takes_fewer_words_than_none_is_passed_over(read):
    before = """import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--few", nargs=-1)
    args = parser.parse_args()"""
    program = PROGRAM.format(layers="torch.nn.Linear(4, 4)", before=before)
    assert read({"train.py": program}, "python train.py --few 3").epochs == 3


def test_a_part_of_a_batch_is_no_batch(read):
    program = PROGRAM.format(layers="torch.nn.Linear(4, 4)", before="").replace("batch_size=8", "batch_size=0.5")
    assert read({"train.py": program}, "python train.py").batch_size is None


@pytest.mark.parametrize(("rows", "steps"), [("[10:50]", 12), ("[60:20]", None), ("[:]", 30)])
@pytest.mark.parametrize("samples", [100, 10**30])
def test_rows_of_an_array_of_any_size_are_counted(read, rows, steps, samples):
    program = f"""
        import numpy as np
        from tensorflow import keras
        x = np.zeros(({samples}, 3)){rows}
        model = keras.Sequential([keras.layers.Dense(3, input_shape=(3,))])
        model.compile("adam", loss="mse")
        model.fit(x, x, epochs=3, batch_size=10)
    """
    found = read({"train.py": program}, "python train.py")
    assert found.epochs == 3
    assert found.total_steps == (steps if samples == 100 or rows != "[:]" else None)


SHARED = """
        import argparse, dataclasses
        @dataclasses.dataclass
        class Held:
            inner: object
        row, mapping = [1], {{"a": 1}}
        for _ in range(18):
            row = [row] * 12
            mapping = {{name: mapping for name in "abcdefghijkl"}}
        {}
        import torch
        optimizer = torch.optim.SGD(torch.nn.Linear(2, 3).parameters(), lr=0.1)
        optimizer.step()
"""


@pytest.mark.parametrize(
    "use",
    [
        "print(sorted(row))",
        "print(dataclasses.asdict(Held(row)))",
        "parser = argparse.ArgumentParser(); parser.set_defaults(lr=0.3, x=mapping); args = parser.parse_args()",
    ],
)
def test_a_program_s_own_data_that_stands_in_many_places_is_no_tree(read, use):
    assert read({"train.py": SHARED.format(use)}, "python train.py").optimizer == "SGD"
