"""docopt: the options that a program's own help text describes, with the defaults that stand in it."""

from tests.readers.code.programs import FIT_SETTINGS, settings_of

HELP = '"""Train.\n\nusage: train.py [options] <folder>\n\noptions:\n    --size=<n>   Batch [default: 8].\n'
HELP += '    --rate=<r>   Rate [default: 0.5].\n    -e, --epochs=<n>  Rounds.\n    --fast       Hurry.\n"""\n'


def test_docopt_reads_the_help_text(read):
    code = HELP + "from docopt import docopt\n" + FIT_SETTINGS + "told = docopt(__doc__)\n"
    code += "fit(int(told['--size']), float(told['--rate']), 2 if told['--fast'] else int(told['--epochs']))\n"
    assert settings_of(read({"train.py": code}, "python train.py data --rate 0.25 --epochs=9")) == (8, 0.25, 9)
    assert read({"train.py": code}, "python train.py --fast data").epochs == 2
