"""The services: one use case a module, written against the ports alone.

Every change, whoever makes it, ends in the one door of the write service, where identity,
redaction, validation, authorisation, novelty, audit and outbox happen in a single transaction. A
service never sees an adapter: it is handed what it needs.
"""
