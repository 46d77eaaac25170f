"""The system: adapters for the clock, identifiers, files and processes.

These are the only modules that ask for the time, draw random identifiers or start a process, so
that everything else can be run against fakes and gives the same answer twice.
"""
