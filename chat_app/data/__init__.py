"""What Parley remembers: tables, the one transaction, and a repository module per noun.

Services open `Database.transaction()` or `Database.reading()` and hand the session to repository functions.
Those return frozen records (`records.py`) that stay usable after the transaction has closed; they never
commit, never start a thread and never read a clock: moments and ids come in as arguments.
"""
