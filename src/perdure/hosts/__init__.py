"""The hosts: one module for each coding agent that Perdure listens to.

A host module parses that agent's events, renders the replies it understands, reads its transcripts
and plans its installation. What is peculiar to one agent stays in its module.
"""
