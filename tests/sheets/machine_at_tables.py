"""What the scorekeepers do at random, and what is sent twice or from an old page."""

from __future__ import annotations

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
        late=st.booleans(),
        stage=st.sampled_from(STAGES),
        seed=st.integers(0, 999),
    )
    def begin(self, **facts):
        self.prepare(**facts)

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
    @rule(pick=PICK, side=SIDES)
    def lose_by_fouls(self, pick, side):
        game = one_of(self.playable(), pick)
        for sheet in fouling(self.told(game).state, side):
            self.deal(game, sheet)
        self.done["lost by fouls"] += self.told(game).state.reason == "fouls"

    def at_a_set_s_beginning(self) -> list[int]:
        return [pk for pk in self.playable() if self.told(pk).state.opens_set]

    @precondition(lambda self: self.at_a_set_s_beginning())
    @rule(pick=PICK, sheet=deals())
    def play_a_laistokierros(self, pick, sheet):
        game = one_of(self.at_a_set_s_beginning(), pick)
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

    def sit_down(self, pk: int) -> None:
        """Let both teams' players sit otherwise than they are listed."""
        game = Game.objects.get(pk=pk)
        a, b = (team.players.order_by("-pk") for team in (game.team_a, game.team_b))
        seats = dict(zip(("A1", "A2", "B1", "B2"), [*a, *b], strict=True))
        self.watch.play("seat_players", services.seat_players, game=game, seats=seats)

    # What comes twice, or too late.

    @precondition(lambda self: self.sent)
    @rule(pick=PICK, is_same=st.booleans())
    def send_again(self, pick, is_same):
        """Send what has been answered, or with its key another number."""
        service, sent = one_of(self.sent[-6:], pick)
        sent = {"by": self.watch.scorekeeper, **sent}
        if is_same or "number" not in sent:
            self.watch.repeat("again", lambda: service(**sent))
        else:
            sent["number"] += 1
            assert self.watch.play("key twice", service, **sent) is None

    @precondition(lambda self: self.with_deals())
    @rule(pick=PICK, sheet=deals(), ahead=st.sampled_from([-1, 1, None]))
    def write_on_an_old_page(self, pick, sheet, ahead):
        pk = one_of(self.with_deals(), pick)
        sent = {"game": Game.objects.get(pk=pk), "key": self.key()}
        if ahead:
            number = self.told(pk).standing[-1].number + 1 + ahead
            sent |= {"number": number, "sheet": sheet}
            assert self.watch.play("late", record_deal, **sent) is None
        else:
            sent |= {"draft": self.draft(pk)[:-1], "seen": self.seen(pk) - 1}
            assert self.watch.act("late", correct_deals, **sent) is None
