"""What a search knows of English: words that say nothing by themselves, and irregular forms of frequent words."""

from __future__ import annotations

_EMPTY = """
a an the of to in on at for with and or is are was were be been do does did has have had what when where who which how
why that this it its i you he she they we his her their my your our from by as about would could can will not no so if
than then there into out up me him them us am just also
"""
EMPTY_WORDS = frozenset(_EMPTY.split())
"""Words that a question and its answer have in common by chance."""

_FORMS = """
bear born|become became|begin began begun|break broke broken|bring brought|build built|buy bought|catch caught
child children|choose chose chosen|come came|deal dealt|draw drew drawn|drink drank drunk|drive drove driven
eat ate eaten|fall fell fallen|feel felt|fight fought|find found|fly flew flown|foot feet|forget forgot forgotten
get got gotten|give gave given|go went gone goes|grow grew grown|hear heard|hide hid hidden|hold held|keep kept
know knew known|lead led|leave left|lend lent|life lives|light lit|lose lost|make made|man men|mean meant|meet met
mouse mice|pay paid|person people|ride rode ridden|ring rang rung|rise rose risen|say said|see saw seen|sell sold
send sent|shake shook shaken|shoot shot|sing sang sung|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood
steal stole stolen|swim swam swum|take took taken|teach taught|tell told|think thought|throw threw thrown
tooth teeth|understand understood|wake woke woken|wear wore worn|wife wives|win won|woman women|write wrote written
"""
_GROUPS = [group.split() for line in _FORMS.splitlines() for group in line.split("|") if group]
BASE_FORMS = {form: words[0] for words in _GROUPS for form in words[1:]}
"""`went` → `go`."""
