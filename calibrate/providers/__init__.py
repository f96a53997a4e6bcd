"""calibrate.providers"""
