"""The command line: one file for each group of commands, loaded only when it is called.

A command turns arguments into one service call and prints the outcome, for people by default and
as JSON with ``--json``. This is the only room that prints.
"""
