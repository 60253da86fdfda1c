"""From words to what they are about: tokens of code and prose, two lexical scores, and the fusion of ranked lists.

Whatever is ordered here is an integer: logarithms come from integer arithmetic, quotients round down, ties are the
caller's to break by name. The same query over the same files gives the same order on every machine.
"""
