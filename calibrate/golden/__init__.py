"""calibrate.golden"""
