"""What the interpreter and the machine give: compiled loops, what is kept on disk, processes."""
