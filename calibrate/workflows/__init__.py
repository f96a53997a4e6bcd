"""calibrate.workflows"""
