"""``python -m mtok_export`` is the command ``mtok``."""

from mtok_export.cli import main

if __name__ == "__main__":
    main()
