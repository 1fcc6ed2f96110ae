"""fire leads from words to functions, methods and tables."""

JOB = """
import fire
class Job:
    def __init__(self, rate=0.5, **more):
        self.rate = rate
    def fit(self, rows=2):
        global x
        x = [self.rate, rows]
"""


def test_options_of_the_making_and_of_the_method_stand_in_any_order(outcome):
    code = JOB.replace(", **more", "") + "fire.Fire(Job)\n"
    assert outcome(code, "--rate 0.25 fit --rows=7") == [0.25, 7]
    assert outcome(code, "fit --rows=7 --rate 0.25") == [0.25, 7]


def test_a_table_of_classes_and_an_object_lead_on(outcome):
    assert outcome(JOB.replace(", **more", "") + "fire.Fire({'job': Job})\n", "job fit --rows 7") == [0.5, 7]
    assert outcome(JOB + "fire.Fire(Job(rate=0.1))\n", "fit 7") == [0.1, 7]


def test_a_table_of_functions_of_other_files_leads_on(outcome):
    parts = {f"{name}.py": f"def {name}(rows=2):\n    return ['{name}', rows]\n" for name in ("fit", "score", "tidy")}
    code = "import fire\nfrom fit import fit\nfrom score import score\nfrom tidy import tidy\n"
    code += "x = fire.Fire({'fit': fit, 'score': score, 'tidy': tidy})\n"
    assert outcome(code, "score --rows 7", parts) == ["score", 7]
    assert outcome(f"{code}x = x == ['score', 7]\n", "other --rows 7", parts) in (False, "unknown")


def test_a_record_is_made_of_the_options_that_it_has(outcome):
    code = """
        import fire
        from dataclasses import dataclass
        @dataclass
        class Job:
            rate: float = 0.5
            def fit(self, rows=2):
                global x
                x = [self.rate, rows]
        fire.Fire(Job)
    """
    assert outcome(code, "fit --rows=7 --rate=0.25") == [0.25, 7]


def test_a_value_that_is_called_like_a_method_is_no_method(outcome):
    code = "import fire\nx = 0\nclass Job:\n    def __init__(self, mode='fit'):\n        pass\n    def fit(self):\n"
    assert outcome(code + "        global x\n        x = 1\nfire.Fire(Job)\n", "--mode fit") == 0


OUTER = """
import fire
import torch

class Inner:
    def fit(self):
        net = torch.nn.Linear(2, 2)
        optimizer = torch.optim.Adam(net.parameters(), lr=0.25)
        net(torch.ones(2)).sum().backward()
        optimizer.step()

class Outer:
    def __init__(self, rows=2):
        self.inner = MADE
        self.inner.eval()

    def __getattr__(self, name):
        return getattr(self.inner, name)

fire.Fire(Outer)
"""


def test_a_word_leads_to_what_an_object_hands_on(read):
    job = read({"go.py": OUTER.replace("MADE", "Inner()")}, "python go.py --rows 3 fit")
    assert (job.is_training, job.learning_rate) == (True, 0.25)


def test_of_a_word_whose_member_was_not_found_it_is_not_said_that_nothing_trains(read):
    code = "import tideloops\n" + OUTER.replace("MADE", "tideloops.make(Inner)")
    assert read({"go.py": code}, "python go.py --rows 3 fit").is_training is None
    assert read({"go.py": code}, "python go.py --rows 3").is_training is False
