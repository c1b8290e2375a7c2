"""What the scorekeepers do at random, and what is sent twice or from an old page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from komppa.cup import services
from komppa.cup.models import Game
from komppa.sheets.confirmations import confirm_result
from komppa.sheets.corrections import correct_deals
from komppa.sheets.services import record_deal, take_back_deal
from scoring.sheet import DealSheet
from scoring.sides import Side
from tests.sheets.deals import SIDES, THREE_EACH, deals, fitted, fouling, to_the_end
from tests.sheets.evenings import PICK, STAGES, Evening, one_of

cups = st.fixed_dictionaries(
    {
        "sets_to_win": st.sampled_from([1, 1, 1, 2]),
        "final_sets_to_win": st.integers(1, 3),
        "qualifiers_per_group": st.integers(1, 2),
        "best_next": st.integers(0, 2),
        "bronze_game": st.booleans(),
        "withdrawn_games": st.sampled_from(["annul", "walkover"]),
        "foul_loss_sets": st.sampled_from(["as_played", "full"]),
        "corrected_foul": st.sampled_from(["free", "counts", "foul"]),
        "laistokierros_no_tricks": st.sampled_from(["stays", "porvoo"]),
        "both_on_target": st.sampled_from(["laistokierros", "laistokierros", "drop"]),
    }
)
results = st.tuples(PICK, SIDES, st.integers(0, 1))


class AtTables(Evening):
    @initialize(
        teams=st.integers(6, 9),
        groups=st.integers(2, 3),
        values=cups,
        stage=st.sampled_from(STAGES),
        seed=st.integers(0, 999),
    )
    def begin(self, teams, groups, values, stage, seed):
        self.prepare(teams, groups, values, stage, seed)

    def deal(self, game: int, sheet: DealSheet) -> None:
        sent = self.record(game, sheet, write=self.watch.play)
        self.sent.append((record_deal, sent))

    @precondition(lambda self: self.playable())
    @rule(pick=PICK, sheet=deals())
    def record_a_deal(self, pick, sheet):
        game = one_of(self.playable(), pick)
        self.deal(game, fitted(sheet, self.told(game).state))

    @precondition(lambda self: self.playable())
    @rule(games=st.lists(results, min_size=1, max_size=3))
    def play_out(self, games):
        for pick, winner, sets_lost in games:
            for game in self.playable()[pick % 3 :][:1]:
                for sheet in to_the_end(self.told(game).state, winner, sets_lost):
                    self.deal(game, sheet)

    @precondition(lambda self: self.playable())
    @rule(pick=PICK, sheet=deals(), side=SIDES, by_fouls=st.booleans())
    def play_rarely(self, pick, sheet, side, by_fouls):
        """Lose a game by three fouls, or come to a laistokierros and play it."""
        opening = [pk for pk in self.playable() if self.told(pk).state.opens_set]
        if by_fouls or not opening:
            game = one_of(self.playable(), pick)
            for fouled in fouling(self.told(game).state, side):
                self.deal(game, fouled)
            self.done["lost by fouls"] += self.told(game).state.reason == "fouls"
            return
        game = one_of(opening, pick)
        for _ in range(4):
            self.deal(game, THREE_EACH)
        self.done["laistokierros"] += self.told(game).state.laistokierros
        self.deal(game, fitted(sheet, self.told(game).state))

    @precondition(lambda self: self.with_deals())
    @rule(pick=PICK, is_organiser=st.booleans())
    def take_the_last_deal_back(self, pick, is_organiser):
        game = one_of(self.with_deals(), pick)
        last = self.told(game).standing[-1]
        sent = {
            "game": Game.objects.get(pk=game),
            "number": last.number,
            "version": last.version,
            "key": self.key(),
        }
        by = self.watch.organiser if is_organiser else self.watch.scorekeeper
        if self.watch.play("take_back", take_back_deal, by=by, **sent):
            self.sent.append((take_back_deal, sent))

    def won(self) -> list[int]:
        return self.games(lambda told: told.state.winner)

    @precondition(lambda self: self.won())
    @rule(pick=PICK, sides=st.sampled_from(["AB", "A", "B"]))
    def confirm(self, pick, sides):
        game = one_of(self.won(), pick)
        entries = [e for e in self.facts.entries.values() if e.game_id == game]
        last = max(entries, key=lambda entry: entry.id)
        for side in map(Side, sides):
            told = {
                "game": Game.objects.get(pk=game),
                "side": side,
                "number": last.number,
                "version": last.version,
            }
            team = self.told(game).teams["AB".index(side)]
            if team not in self.fresh.agreed(game):
                self.watch.play("confirm", confirm_result, **told)
            elif self.told(game).is_won_by_play:
                before = self.facts
                confirm_result(by=self.watch.scorekeeper, **told)
                self.watch.look()
                assert self.facts == before

    @precondition(lambda self: self.playable())
    @rule(pick=PICK)
    def sit_down(self, pick):
        game = self.game(self.playable(), pick)
        a, b = (t.players.order_by("-pk") for t in (game.team_a, game.team_b))
        seats = dict(zip(("A1", "A2", "B1", "B2"), [*a, *b], strict=True))
        self.watch.play("seat_players", services.seat_players, game=game, seats=seats)

    # What comes twice, or too late.

    @precondition(lambda self: self.sent)
    @rule(pick=PICK)
    def send_again(self, pick):
        service, sent = self._sent(pick)
        self.watch.repeat("again", lambda: service(**sent))

    @precondition(lambda self: self.sent)
    @rule(pick=PICK)
    def send_something_else_with_an_old_key(self, pick):
        service, sent = self._sent(pick)
        if "number" in sent:
            sent = {**sent, "number": sent["number"] + 1}
            assert self.watch.play("key twice", service, **sent) is None

    def _sent(self, pick: int) -> tuple[Callable[..., Any], dict[str, Any]]:
        service, sent = one_of(self.sent[-6:], pick)
        return service, {"by": self.watch.scorekeeper, **sent}

    @precondition(lambda self: self.with_deals())
    @rule(pick=PICK, sheet=deals(), ahead=st.sampled_from([-1, 1]))
    def write_on_an_old_page(self, pick, sheet, ahead):
        pk = one_of(self.with_deals(), pick)
        game, last = Game.objects.get(pk=pk), self.told(pk).standing[-1]
        wanted = {
            "game": game,
            "number": last.number + 1 + ahead,
            "sheet": sheet,
            "key": self.key(),
        }
        assert self.watch.play("old page", record_deal, **wanted) is None
        wanted = {
            "game": game,
            "draft": self.draft(pk)[:-1],
            "seen": self.seen(pk) - 1,
            "key": self.key(),
        }
        assert self.watch.act("old correction", correct_deals, **wanted) is None
