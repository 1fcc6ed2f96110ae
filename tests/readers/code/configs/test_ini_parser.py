"""Python's own parser of INI files."""

from schedmate.readers.code.configs.yaml_text import read_ini

FILES = {"job.ini": "[DEFAULT]\nrounds = 9\n[rates]\nStart = 0.25\nfast = yes\n[rows]\nsize = 12\n"}
HEAD = "import configparser\nc = configparser.ConfigParser()\n"


def test_options_by_section_with_the_defaults_of_all(outcome):
    code = HEAD + "c.read(['job.ini'])\n"
    code += (
        "x = [c.getfloat('rates', 'start'), c['rows'].getint('size'), c.getint('rows', 'rounds'), c['rows']['size']]"
    )
    assert outcome(code, "", FILES) == [0.25, 12, 9, "12"]


def test_what_is_not_there_has_its_fallback(outcome):
    code = HEAD + "with open('job.ini') as file:\n    c.read_file(file)\n"
    code += "x = [c.getint('rows', 'left', fallback=3), c['rows'].getint('left', 4), c.getboolean('rates', 'fast'),"
    code += " c.has_option('rows', 'left'), c.has_section('rates'), 'rows' in c, c.sections()]\n"
    assert outcome(code, "", FILES) == [3, 4, True, False, True, True, ["rates", "rows"]]


def test_options_as_pairs_in_their_own_letters_and_set_by_the_program(outcome):
    code = HEAD + "c.optionxform = str\nc.read('job.ini')\nc.set('rows', 'more', '7')\nc.read_dict({'a': {'b': '1'}})\n"
    code += "x = [dict(c.items('rates'))['Start'], c.get('rows', 'more'), c['a']['b'], c.defaults()['rounds']]\n"
    assert outcome(code, "", FILES) == ["0.25", "7", "1", "9"]


def test_a_section_finds_an_option_in_any_letters(outcome):
    code = HEAD + "c.read('job.ini')\nx = [float(c['rates']['Start']), int(c['rows']['SIZE'])]"
    assert outcome(code, "", FILES) == [0.25, 12]


def test_defaults_of_sections_without_number_are_not_read():
    defaults = "".join(f"k{number} = 1\n" for number in range(1000))
    sections = "".join(f"[s{number}]\n" for number in range(1000))
    assert read_ini(f"[DEFAULT]\n{defaults}{sections}", "a.ini") is None
    assert read_ini(f"[DEFAULT]\n{defaults}[s]\n", "a.ini") is not None
