"""The contract suite: the laws that every game keeps, tested for all of them at once."""
