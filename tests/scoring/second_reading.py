"""The command ``deal`` read a second time, one sentence of the rules after another.

Written from the rules and from the page of the command line alone, without a look
at the engine. Cards stay texts and hands stay lists: a shared type could carry a
shared mistake. Being slow and naive is its merit; it takes well-formed documents.
"""

from __future__ import annotations

FOUR = ["A1", "B1", "A2", "B2"]
TWO = ["A1", "B1"]
PARTNER = {"A1": "A2", "A2": "A1", "B1": "B2", "B2": "B1"}

SUITS = ["C", "D", "H", "S"]
LOW_TO_HIGH = ["6", "7", "8", "9", "J", "Q", "K", "10", "A"]
PACK = [suit + rank for suit in SUITS for rank in LOW_TO_HIGH]

PIPS = {"K": 4, "Q": 3, "J": 2}
CARD_POINTS = {"A": 11, "10": 10, **PIPS}


class Impossible(Exception):
    """What cannot happen at a table; no event where the dealt cards say so."""

    def __init__(self, event=None):
        super().__init__(event)
        self.event = event


def answer(document):
    """Return what ``deal`` answers, or raise where it refuses."""
    table = Table(document)
    for number, event in enumerate(document["events"]):
        table.take(number, event)
    return table.answer()


class Table:
    """A deal as everybody at the table sees it, event by event."""

    def __init__(self, document):
        self.rules = document.get("ruleset", "kemistikilta-2011")
        self.set_opening = document.get("set_opening", False)
        self.is_open_game = self.rules == "avomarjapussi"
        self.seats = TWO if self.is_open_game else FOUR
        self.last_number = 36 // len(self.seats)

        # What a player can see as his own; of the rest, what lies under what.
        self.hands = {}
        self.under = {}
        for seat in self.seats:
            hand = document["hands"][seat]
            if self.is_open_game:
                self.under.update(zip(hand["up"], hand["down"], strict=True))
                hand = hand["hand"] + hand["up"]
            self.hands[seat] = list(hand)

        self.leader = document["leader"]
        self.trick = []
        self.done = []

        self.trump = None
        self.trump_team = None
        self.small = {"A": [], "B": []}
        self.burned = []
        self.has_acted = False
        self.must_lead = None

        self.fouls = []
        self.void = []
        self._require_possible_opening()

    def _require_possible_opening(self):
        # Face down, the club ace is nobody's yet, and anybody may open the set.
        mine_or_nobodys = [*self.hands[self.leader], *self.under.values()]
        if self.set_opening and "CA" not in mine_or_nobodys:
            raise Impossible

    def take(self, number, event):
        if self.is_finished:
            raise Impossible(number)
        if "play" in event:
            self._play(number, event)
        else:
            self._act(number, event)

    @property
    def is_finished(self):
        return len(self.done) == self.last_number

    @property
    def turn(self):
        """The seat that plays the next card."""
        after = self.seats.index(self.leader) + len(self.trick)
        return self.seats[after % len(self.seats)]

    # R2

    def duties(self):
        """Return the duties in their order, each with the cards that it leaves."""
        hand = self.hands[self.turn]
        return self._leading(hand) if not self.trick else self._following(hand)

    def _leading(self, hand):
        if not self.done:
            aces = [card for card in hand if card[1:] == "A"]
            spades = [card for card in hand if card[0] == "S"]
            if self.set_opening and "CA" in hand:
                return [("R2.5", ["CA"])]
            return [("R2.5", aces or spades or hand)]
        of_suit = [card for card in hand if card[0] == self.must_lead]
        return [("R2.8", of_suit or hand)]

    def _following(self, hand):
        led = self.trick[0][0]
        duties = []
        left = hand
        if any(card[0] == led for card in hand):
            left = [card for card in hand if card[0] == led]
            duties.append(("R2.1", left))
        elif any(card[0] == self.trump for card in hand):
            left = [card for card in hand if card[0] == self.trump]
            duties.append(("R2.2", left))
        if not self.done and led + "A" in hand:
            duties.append(("R2.6", [led + "A"]))
        else:
            best = self._best_card()
            over = [card for card in left if self._beats(card, best)]
            duties.append(("R2.3", over or left))
        return duties

    def legal(self):
        """Return what the last duty leaves, as the command line lists cards."""
        left = self.duties()[-1][1]
        return [card for card in PACK if card in left]

    def _beats(self, card, other):
        if card[0] == other[0]:
            return LOW_TO_HIGH.index(card[1:]) > LOW_TO_HIGH.index(other[1:])
        return card[0] == self.trump

    def _best_card(self):
        best = self.trick[0]
        for card in self.trick:
            if self._beats(card, best):
                best = card
        return best

    def _play(self, number, event):
        seat = self.turn
        shown = event["play"]
        stays = event.get("corrected", shown)
        legal = self.legal()
        if shown not in self.hands[seat]:
            raise Impossible(number)
        if "corrected" in event and (shown in legal or stays not in legal):
            raise Impossible(number)
        if shown not in legal:
            broken = [rule for rule, left in self.duties() if shown not in left]
            self.fouls.append(
                {
                    "event": number,
                    "seat": seat,
                    "team": seat[0],
                    "rule": broken[0],
                    "legal": legal,
                    "corrected": "corrected" in event,
                }
            )
        self.hands[seat].remove(stays)
        self.trick.append(stays)
        self.must_lead = None
        if len(self.trick) == len(self.seats):
            self._gather()

    def _gather(self):
        best = self.trick.index(self._best_card())
        first = self.seats.index(self.leader)
        winner = self.seats[(first + best) % len(self.seats)]
        for place, card in enumerate(self.trick):
            if card in self.under:
                seat = self.seats[(first + place) % len(self.seats)]
                self.hands[seat].append(self.under.pop(card))
        self.done.append({"leader": self.leader, "cards": self.trick, "winner": winner})
        self.leader = winner
        self.trick = []
        self.has_acted = False

    # R3

    def holds_whole(self, seat, suit):
        return suit + "K" in self.hands[seat] and suit + "Q" in self.hands[seat]

    def is_used_up(self, suit):
        return suit in [self.trump, *self.small["A"], *self.small["B"]]

    def usable_wholes(self, seat):
        """Return the suits of the wholes that a player may still use."""
        return [
            suit
            for suit in SUITS
            if self.holds_whole(seat, suit)
            and (seat, suit) not in self.burned
            and not self.is_used_up(suit)
        ]

    def has_half(self, seat, suit):
        """Return whether a player holds exactly one of king and queen."""
        return (suit + "K" in self.hands[seat]) != (suit + "Q" in self.hands[seat])

    def may_act(self):
        return (
            not self.trick
            and 2 <= len(self.done) <= self.last_number - 1
            and not self.has_acted
        )

    def _act(self, number, event):
        # Between two tricks and within one, the leader won the last one.
        actor = self.leader
        broken = self._rule_against(actor, event)
        if broken:
            self.void.append({"event": number, "seat": actor, "rule": broken})
            return
        self.has_acted = True
        if "declare" in event:
            self._succeed(actor, event["declare"])
            return
        partner = PARTNER[actor]
        true_answers, given = self._answers(partner, event)
        self._burn(actor)
        if "ask_half" in event:
            self._burn(partner)
        if given not in true_answers:
            self.void.append({"event": number, "seat": partner, "rule": "R3.2"})
        elif given:
            self._succeed(actor, event.get("ask_half") or given)

    def _rule_against(self, actor, event):
        """Return the first rule that forbids the actor to act like this."""
        if not self.may_act():
            return "R3.1"
        if "declare" in event:
            suit = event["declare"]
            if self.is_used_up(suit):
                return "R3.3"
            if not self.holds_whole(actor, suit):
                return "R3.2"
            return "R3.4" if (actor, suit) in self.burned else None
        if self.is_open_game:
            return "R3.2"
        if "ask_half" in event:
            suit = event["ask_half"]
            if self.is_used_up(suit):
                return "R3.3"
            return None if self.has_half(actor, suit) else "R3.2"
        return "R3.5" if self.rules.startswith("wikipedia") and self.trump else None

    def _answers(self, partner, event):
        """Return the answers that would be true, and the one that was given."""
        if "ask_half" in event:
            truth = self.has_half(partner, event["ask_half"])
            return [truth], event.get("answer", truth)
        return self.usable_wholes(partner) or [None], event["ask_whole"]

    def _burn(self, seat):
        for suit in SUITS:
            if self.holds_whole(seat, suit):
                self.burned.append((seat, suit))

    def _succeed(self, maker, suit):
        if self.trump is None:
            self.trump = suit
            self.trump_team = maker[0]
        else:
            self.small[maker[0]].append(suit)
            self.must_lead = suit

    # The answer

    def answer(self):
        tricks = list(self.done)
        if self.trick:
            tricks.append({"leader": self.leader, "cards": self.trick, "winner": None})
        return {
            "sheet": self._sheet() if self.is_finished else None,
            "tricks": tricks,
            "fouls": self.fouls,
            "void": self.void,
            "finished": self.is_finished,
        }

    def _sheet(self):
        won = {"A": [], "B": []}
        for trick in self.done:
            won[trick["winner"][0]] += trick["cards"]
        without = [team for team in "AB" if not won[team]]
        sheet = {
            "trump": self.trump_team,
            "small_trumps": {team: len(self.small[team]) for team in "AB"},
            "suits": {"trump": self.trump, "small": self.small},
            "last_trick": self.done[-1]["winner"][0],
            "no_tricks": without[0] if without else None,
            "fouls": [
                {"team": foul["team"], "corrected": True}
                if foul["corrected"]
                else foul["team"]
                for foul in self.fouls
            ],
        }
        if self.rules.startswith("wikipedia"):
            worths = {"card_points": CARD_POINTS}
        else:
            worths = {"mattis": {"A": 1, "10": 1}, "pips": PIPS, "aces": {"A": 1}}
        for name, worth in worths.items():
            sheet[name] = {
                team: sum(worth.get(card[1:], 0) for card in won[team]) for team in "AB"
            }
        return sheet
