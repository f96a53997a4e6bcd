"""The offline simulator: a rule-based judge and a rule-based prompt writer behind the model protocol.

They stand in for real models in tests, in the demo, and for anyone without a key. They prove nothing about an LLM.
"""

from calibrate.providers.sim.billing import PRICES, SIMULATOR_VERSION, Price
from calibrate.providers.sim.directives import DIRECTIVES, recognise
from calibrate.providers.sim.reader import READERS, SimReader
from calibrate.providers.sim.writer import WRITER, SimWriter

__all__ = [
    "DIRECTIVES",
    "PRICES",
    "READERS",
    "SIMULATOR_VERSION",
    "WRITER",
    "Price",
    "SimReader",
    "SimWriter",
    "recognise",
]
