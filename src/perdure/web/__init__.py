"""The web page: a thin surface that shows the memory to its owner in a browser.

A request is checked against a schema, one service is called in a bounded worker thread, and the
outcome is rendered. It decides nothing itself.
"""
