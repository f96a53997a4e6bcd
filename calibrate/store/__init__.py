"""calibrate.store"""
