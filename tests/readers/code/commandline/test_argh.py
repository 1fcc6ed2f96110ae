"""argh calls one function, or the one that the first word names."""

import pytest

FUNCTIONS = """
    import argh
    x = 0
    def fit_model(rows, rate=0.5, deep=False):
        global x
        x = ["fit", rows, rate, deep]
    def score(rows=2):
        global x
        x = ["score", rows]
"""


@pytest.mark.parametrize(
    ("start", "words", "expected"),
    [
        ("argh.dispatch_command(fit_model)", "7 --rate 0.25", ["fit", 7, 0.25, False]),
        ("argh.dispatch_commands([fit_model, score])", "fit-model 7 --deep", ["fit", 7, 0.5, True]),
        ("argh.dispatch_commands([fit_model, score])", "score --rows 3", ["score", 3]),
        ("p = argh.ArghParser(); p.add_commands([fit_model, score]); p.dispatch()", "score", ["score", 2]),
        ("p = argh.ArghParser(); p.set_default_command(score); argh.dispatch(p)", "", ["score", 2]),
        ("argh.dispatch_commands([fit_model, score])", "--rate score", 0),
        ("argh.dispatch_commands([score])", "other", 0),
        ("argh.dispatch(None)", "score", 0),
    ],
)
def test_the_named_function_is_called_with_its_words(outcome, start, words, expected):
    assert outcome(f"{FUNCTIONS}    {start}\n", words) == expected
