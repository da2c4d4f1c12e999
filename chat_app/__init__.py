"""Parley: a web chat for any agent that speaks AG-UI."""
