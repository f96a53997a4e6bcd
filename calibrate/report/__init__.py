"""Pages to send: a calibration or a comparison as one file that opens anywhere."""
