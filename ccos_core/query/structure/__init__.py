"""What shape the code has: a summary, its cycles, what most depends on, the regions it falls into, a drawing.

Every question takes a `Codebase` and gives a frozen answer. Numbers are integers and every order is written out, so the
same code gives the same answer on every machine.
"""
