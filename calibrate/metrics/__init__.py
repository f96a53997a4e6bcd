"""calibrate.metrics"""
