"""calibrate.cli"""
