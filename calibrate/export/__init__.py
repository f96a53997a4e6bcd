"""calibrate.export"""
