"""Which version of the journal this is, for whoever asks that and no more: its columns bring a library with them."""

from __future__ import annotations

VERSION = 7
"""Of what the columns say: it goes up whenever the same state would be written down otherwise, and when a fault was
mended that may have left wrong rows in what is kept. 2: names that swap files within one look, edits of a part.
3: more before the one empty line that was shown of a file. 4: what a prompt is that nobody typed. 5: what nodes take
is told by another token estimate; 6: and by one more. 7: the codes of the kinds of vocabulary 3."""
