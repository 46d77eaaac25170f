"""The vault: the ledger as plain Markdown in git, lossless and open to editing by hand.

Codecs turn revisions into files and back, the layout says where each file lies, and the rest
replaces files atomically, commits them and notices hand edits and pulled commits.
"""
