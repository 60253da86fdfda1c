"""Instructions: what a statement forbids or demands, what a step did, and whether the one breaks the other.

    rules      a statement as rules             contrast   "this, not that"
    demands    what it demands                  naming     how things are called
    phrases    a phrase as acts, things, places terms      its words, by kind
    deeds      what a step did                  matching   whether an act of a deed shows a term
    meant      which acts verbs mean            judging    a rule and a deed: a verdict, with the words that show it
    keeping    what a demand asks of a deed     replacing  a statement that takes the place of another
    bearing    all instructions of a conversation

The lexicon is data: `words.txt`, `looks.txt` (what phrases look like), `grammar.txt`, `languages.txt`.
"""
