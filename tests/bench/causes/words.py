"""What made-up projects are called: everyday words of many trades, drawn so that no two things share a name.

A word is a keyword of none of the four languages and none of the local names that bodies use; what is drawn as a name
has two words or more, so that a name is never a plain word of a sentence.
"""

from collections.abc import Callable, Sequence
from random import Random


def _words(text: str) -> list[str]:
    return text.split()


NOUNS = _words("""
account acre aisle anchor anvil apron arbor archive atlas auction badge bakery ballast barge barrel basin batch beacon
berth blanket bolt bonus border bottle branch bridge bucket budget buffer bundle buoy cabin cabinet cable cargo carrier
carton cellar charter chimney circuit claim cliff clinic clock coach coil colony column compass contract copper corner
counter courier credit crew crop curtain customs dairy depot deposit dial diary district dock domain drain dredge
drum dune engine envelope errand estate excise fabric factor farm ferry fiber fleet flour forest forge freight
furnace gallery garden gasket gauge glacier grain gravel grid grove guild harbor harvest hatch haul heater hinge hopper
hull impulse ingot intake invoice island jacket journal kennel kettle kiln ladder lantern lattice ledger lever levy
lift linen locker loom lumber magnet manifest margin market marsh meadow member mill mineral mortar nozzle oven outpost
paddle palette pantry parcel parish pasture patent payroll pebble pension permit pier pigment pillar pipeline plank
plaster pledge plot portal postage poultry premium pulley quarry quota radius raft ramp ration ravine rebate receipt
refund region relay rental reservoir ribbon ridge rivet roster rotor route rudder saddle salary sample sawmill season
sensor shelf shift shipment signal silo slope sluice socket solvent spindle spool stable stall station statute steam
stencil storage stove strap summit supply surplus tariff tavern tenant terrace thermal ticket timber tool tower tractor
trail tram treaty trellis tribute trolley tunnel turbine valley valve vault vendor vessel village vineyard voucher
wagon warehouse warrant wharf wheel willow window winter workshop yard zone
""")

VERBS = _words("""
adjust allot apply assess assign balance build charge check choose collect combine compare compute convert count
cover deduct derive divide draw estimate fetch fill find fold gather grade grant handle hold issue join
load locate lower measure merge move offset order pack pay pick place plan price process quote rank
reckon record reduce release render repair reserve resolve round route scale schedule settle ship sort
split stack store sum survey tally track trim value verify weigh
""")

ADJECTIVES = _words("""
annual base bulk coarse common daily dry early extra final fine first fixed flat full gross idle inner joint large last
late light local lower main minor monthly narrow net nightly outer partial plain prime rapid regional rough second
short single small spare standard steady tidal upper usual weekly wide
""")

FOLDERS = _words("""
accounts admin agenda allotment analysis audits bookings catalog checkout clearing delivery dispatch fares finance
forecast fulfilment handling holdings insurance inventory leasing loading logistics lending metering network onboarding
operations outreach planning policies pricing procurement production quality recycling registry relief reporting
research returns revenue safety sales sampling scoring security shipping sourcing staffing stock subsidy surveys
taxation timetable trading training transit treasury upkeep utilities voyages
""")

HUBS = ("common", "shared", "support", "basics", "helpers", "toolkit")
PLAIN_STEMS = ("models", "rules", "base", "helpers", "limits", "tables", "records")


class Names:
    """Draws names; none twice, and none that is part of another's words in the same order."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.taken: set[tuple[str, ...]] = set()
        self.nouns = rng.sample(NOUNS, len(NOUNS))
        self.folders = rng.sample(FOLDERS, len(FOLDERS))

    def function(self) -> tuple[str, ...]:
        return self._fresh(lambda: (self.rng.choice(VERBS), *self._thing()))

    def thing(self) -> tuple[str, ...]:
        return self._fresh(self._thing)

    def claim(self, *words: str) -> tuple[str, ...] | None:
        """These very words, if nobody has them yet."""
        if len(set(words)) != len(words) or words in self.taken:
            return None
        self.taken.add(words)
        return words

    def folder(self) -> str:
        return self.folders.pop()

    def noun(self) -> str:
        """One that stands alone, as a file's name; drawn once."""
        return self.nouns.pop()

    def _thing(self) -> tuple[str, ...]:
        if self.rng.random() < 0.3:
            return (self.rng.choice(ADJECTIVES), self.rng.choice(NOUNS))
        return tuple(self.rng.sample(NOUNS, self.rng.choice((2, 2, 2, 3))))

    def _fresh(self, draw: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        while True:
            words = draw()
            if self.claim(*words):
                return words


def snake(words: Sequence[str]) -> str:
    return "_".join(words)


def shout(words: Sequence[str]) -> str:
    return "_".join(words).upper()


def pascal(words: Sequence[str]) -> str:
    return "".join(word.capitalize() for word in words)


def camel(words: Sequence[str]) -> str:
    return "".join((*words[:1], pascal(words[1:])))
