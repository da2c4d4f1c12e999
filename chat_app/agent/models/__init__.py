"""Models the agent thinks with: one small interface, a scripted one, and everything a provider sells.

``interface`` says what a loop asks; ``scripted`` answers from a list; ``direct`` reaches providers through
pydantic-ai and is loaded by name from ``providers`` only when it is asked for; ``patient`` waits out rate limits.
"""
