"""What only other versions of Python read: 3.12's type parameters and quotes inside braces, and `async` as a name."""

from tests.readers.code.programs import FIT_SETTINGS, settings_of


def test_async_as_an_argument_of_older_programs_is_read(read):
    code = FIT_SETTINGS.replace("net(x)", "net(x.cuda(async=True))") + "fit(4, 0.5, 7)\n"
    job = read({"train.py": code}, "python train.py")
    assert (*settings_of(job), job.precision) == (4, 0.5, 7, "fp32")


def test_type_parameters_over_several_lines_and_with_bounds_hide_no_program(read):
    generic = "class Held[\n    A: (dict[str, list[int]], tuple[int, ...]),\n    B,\n]:\n    # [\n    value: A\n\n"
    generic += "type Rows[T] = list[T]\n"
    code = generic + FIT_SETTINGS + "fit(4, 0.5, 7)\n"
    assert settings_of(read({"train.py": code}, "python train.py")) == (4, 0.5, 7)
