"""Safety: pure functions that make text fit to be stored and fit to be shown to a model.

Redaction takes secrets out before anything is written, defanging takes the force out of text that
would instruct its reader, and fences mark recalled memories as data.
"""
