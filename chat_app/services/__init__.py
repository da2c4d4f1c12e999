"""Use cases in plain Python: the last layer that knows AG-UI and SQL, and the only place that decides."""
