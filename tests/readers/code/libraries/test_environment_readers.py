"""Libraries that read the environment with types and defaults."""

SET = "import os\nos.environ['RATE'] = '0.25'\nos.environ['FAST'] = 'yes'\n"


def test_decouple_casts(outcome):
    code = SET + "from decouple import config\n"
    code += "x = [config('RATE', cast=float), config('ROWS', default=4, cast=int), config('FAST', cast=bool)]\n"
    assert outcome(code) == [0.25, 4, True]


def test_environs_has_a_method_for_each_type(outcome):
    code = SET + "from environs import Env\ne = Env()\nx = [e.float('RATE'), e.int('ROWS', 4), e.bool('FAST')]\n"
    assert outcome(code) == [0.25, 4, True]
    assert outcome("from environs import Env\nx = Env().int('ROWS')\n") == "unknown"
