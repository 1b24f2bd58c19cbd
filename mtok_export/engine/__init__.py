"""Ways to run a tokenizer file: the real engine in a child process, and a model of it in Python."""
