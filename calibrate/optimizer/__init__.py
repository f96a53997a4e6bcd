"""calibrate.optimizer"""
