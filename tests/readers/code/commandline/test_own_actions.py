"""What a program's own `argparse.Action` does with an option: reads a file over the others, splits a list."""

from tests.readers.code.programs import FIT_STEPS


def test_an_own_action_reads_a_file_over_the_options(read):
    code = (
        "import argparse, torch, yaml\n" + FIT_STEPS + "class FromFile(argparse.Action):\n"
        "    def __call__(self, parser, namespace, values, option_string=None):\n"
        "        if values.name.endswith('yaml'):\n            with values as f:\n"
        "                namespace.__dict__.update(yaml.safe_load(f))\n"
        "        else:\n            raise ValueError('no yaml')\n"
        "p = argparse.ArgumentParser()\np.add_argument('--conf', type=open, action=FromFile)\n"
        "p.add_argument('--lr', type=float, default=0.1)\np.add_argument('--steps', type=int, default=5)\n"
        "a = p.parse_args()\nnet = torch.nn.LSTM(2, 2)\n"
        "fit(net, torch.optim.SGD(net.parameters(), lr=a.lr), a.steps, iter([]))\n"
    )
    files = {"train.py": code, "run.yaml": "lr: 0.25\nsteps: 400\n"}
    job = read(files, "python train.py --conf run.yaml --steps 90")
    assert (job.learning_rate, job.total_steps) == (0.25, 90)
    assert "run.yaml" in str(job.evidence["learning_rate"])


def test_an_own_action_may_split_what_it_is_given(outcome):
    code = (
        "import argparse\nclass Split(argparse.Action):\n"
        "    def __call__(self, parser, namespace, values, option_string=None):\n"
        "        setattr(namespace, self.dest, values.split(','))\n"
        "p = argparse.ArgumentParser()\np.add_argument('--names', action=Split)\nx = p.parse_args().names\n"
    )
    assert outcome(code, "--names a,b") == ["a", "b"]
