"""ConfigObj's files, with a specification and without one."""

import pytest

FILES = {
    "job.conf": 'name = deep\nplace = runs/%(name)s\n[fit]  # how\nrows = 12\nrate = 5e-4 # a rate\nkinds = a, "b"\n'
    "wide = yes\n[[more]]\nplaces = %(place)s/more\n[end]\nlast = 1\n",
    "spec.conf": "name = string\nplace = string\n[fit]\nrows = integer(default=8)\nrate = float(min=0, default=0.1)\n"
    "turns = integer(0, 90, default=30)\nwide = boolean\nlimit = float(default=None)\n[[more]]\nplaces = string\n"
    "[end]\nlast = float\n[other]\nleft = string(default='x')\n[[__many__]]\nany = integer\n",
}
HEAD = "from configobj import ConfigObj\nfrom validate import Validator\n"


@pytest.mark.parametrize("spec", ["ConfigObj('spec.conf', list_values=False)", "ConfigObj('spec.conf')", "'spec.conf'"])
def test_a_specification_gives_types_and_defaults(outcome, spec):
    code = f"{HEAD}c = ConfigObj('job.conf', configspec={spec})\n"
    code += "assert c.validate(Validator())\nf = c['fit']\n"
    code += "x = [f['rows'], f['rate'], f['turns'], f['wide'], f['limit'], c['end']['last'], c['other']['left']]\n"
    assert outcome(code, "", FILES) == [12, 5e-4, 30, True, None, 1.0, "x"]


def test_without_one_all_are_texts_and_sections_read_them_by_kind(outcome):
    code = f"{HEAD}c = ConfigObj(infile='job.conf')\nf = c['fit']\n"
    code += (
        "x = [f['rows'], f.as_int('rows'), f.as_float('rate'), f.as_bool('wide'), f['kinds'], f['more']['places']]\n"
    )
    assert outcome(code, "", FILES) == ["12", 12, 5e-4, True, ["a", "b"], "runs/deep/more"]


@pytest.mark.parametrize("told", ["'none.conf'", "'job.conf', configspec='none.conf'"])
def test_what_is_not_here_says_nothing(outcome, told):
    assert outcome(f"{HEAD}x = ConfigObj({told})['fit']['rows']\n", "", FILES) == "unknown"


def test_values_that_share_each_other_end():
    from schedmate.readers.code.configs.configobj_files import read_sections

    doubled = "a0 = xxxx\n" + "".join(f"a{one + 1} = %(a{one})s%(a{one})s\n" for one in range(60))
    assert len(read_sections(f"{doubled}b = %(b)s\n", "a.conf").data["a60"].data) <= 4_000
