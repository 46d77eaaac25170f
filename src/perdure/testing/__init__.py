"""Testing: contract suites and fakes for every port, shipped with the package.

An adapter, ours or another's, proves itself by subclassing the suite of its port. The fakes pass
the same suites, which is what makes them fit to test services with. Nothing in Perdure imports
this room.
"""
