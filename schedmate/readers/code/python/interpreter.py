"""The interpreter of Python: the one object through which expressions, statements and calls follow each other."""

from schedmate.readers.code.python import calls, expressions, statements


class PythonInterpreter:
    """Follow code: each of the three comes back here for the other two."""

    evaluate = staticmethod(expressions.evaluate)
    execute = staticmethod(statements.execute)
    call = staticmethod(calls.call)
