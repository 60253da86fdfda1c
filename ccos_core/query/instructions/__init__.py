"""Instructions: what a statement forbids or demands, what a step did, and whether the one breaks the other.

    words      the tables of words               terms      the words of a statement, by kind
    rules      a statement as rules              replacing  a rule that takes the place of another
    general    wordings that no table knows      loosely    a rule of `general` and a deed
    concepts   what plain nouns look like
    deeds      what a step did                   matching   whether a term is found in a deed
    judging    a rule and a deed: a verdict, with the words that show it

English only: other languages get tables of their own when they hold the bar.
"""
