"""calibrate.console"""
