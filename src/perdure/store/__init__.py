"""The store: the append-only ledger of revisions in SQL.

It holds the named query catalogue, the numbered migrations and one module per database engine, and
fulfils the store port. Nothing else in Perdure knows SQL.
"""
