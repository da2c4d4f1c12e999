"""What people see: pure functions from live rows and vars to components.

`browser.py` is the only door to JavaScript.
"""
