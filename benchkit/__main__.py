"""`python -m benchkit`."""

from benchkit.cli import main

if __name__ == "__main__":
    main()
