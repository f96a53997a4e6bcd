"""calibrate.runner"""
