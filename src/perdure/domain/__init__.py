"""The domain: pure values and rules that need nothing but the standard library.

What a memory, a revision, a change and a reader are, who may see what, how things rank, age,
cluster and merge, and the one tree of errors. Nothing here reads a clock, a file or a database,
so that every rule can be tested by calling it.
"""
