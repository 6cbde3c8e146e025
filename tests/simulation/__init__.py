"""A program in virtual time: one event loop without sockets and threads, in which everything follows from a seed.

`World` has the time, the chance and the open ports. `Loop` jumps to the next timer when nothing is ready, runs ready
tasks in an order drawn from the seed, and carries bytes between connections in memory. A `Process` is everything that
runs in its context: it can be killed at any await, and frozen. `simulated` puts into the world's hands what libraries
take from the machine; `patches` lists it.
"""
