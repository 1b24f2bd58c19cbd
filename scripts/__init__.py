"""Scripts of the project; each runs by itself."""
