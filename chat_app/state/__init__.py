"""Thin Reflex states: what a click changes. The last layer that knows Reflex."""
