"""The MCP server: a thin surface that offers the services to agents as tools.

A tool checks its input against a schema, calls one service in a bounded worker thread and returns
the outcome. It decides nothing itself.
"""
