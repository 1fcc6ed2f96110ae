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
