"""Retrieval-augmented systems: what they retrieved, what they answered, and where the fault lies.

Pure functions and frozen types; no model is called here and nothing is stored.
"""

from calibrate.rag.bank import Bank, Question
from calibrate.rag.corpus import Chunk, Corpus
from calibrate.rag.figures import Figure
from calibrate.rag.outputs import Output, Variant

__all__ = ["Bank", "Chunk", "Corpus", "Figure", "Output", "Question", "Variant"]
