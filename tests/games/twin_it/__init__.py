"""Tests of Twin It!: the rules as positions, a second referee, six people clicking at random, and golden games."""
