"""`make soak`: one card room under faults for a given time, and then the proof that nothing was lost.

`room` has the sandbox, the bot and everything that is counted; `people` play, `faults` disturb them, `screens` looks
at all that is shown to anybody, and `proof` has the checks at the end.
"""
