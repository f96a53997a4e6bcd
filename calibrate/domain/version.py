"""The tool's version, recorded with every run."""

VERSION = "0.1.0"
