"""`python -m chat_app …`: the same commands as the console script `parley`."""

import sys

from chat_app.cli import main

if __name__ == "__main__":
    sys.exit(main())
