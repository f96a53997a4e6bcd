"""The code of an exported judge, in pieces: Python 3.9 and the standard library only.

:mod:`calibrate.export.python` writes a judge's own constants in place of :mod:`~calibrate.export.standalone.constants`
and after them, of each piece that the judge needs, what stands below the line ``# --- exported``. The pieces therefore
share one name space: no name is defined in two pieces that are ever written together.

They follow :mod:`calibrate.judge`, whose regular expressions need Python 3.11; the tests hold them to it.
"""
