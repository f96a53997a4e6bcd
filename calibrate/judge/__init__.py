"""calibrate.judge"""
