"""The tool server in the box: a board of tasks, one for each thread. ``python -m chat_app.agent.task_board URL``.

It is a program of its own, started over stdio like any other tool server; nothing of the agent imports it.
``tasks`` keeps the boards, ``server`` offers them over MCP (extra ``mcp``).
"""
