from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.utils import translation

from komppa import words
from komppa.words_of_problems import SENTENCES
from scoring import problems
from scoring.game import DealResult, Effect, EffectCode, advance, start
from scoring.points import Part
from scoring.problems import Code, Problem, Refused
from scoring.rulesets import ruleset
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import ZERO, Pair, Seat, Side
from scoring.standings import Criterion, Figures, Separation
from scoring.suits import Suit
from scoring.tricks import Duty

RULES = ruleset()
CARD_POINTS = ruleset("wikipedia-12")
NAMES = Pair("Kopla", "Matit")
SOUND = DealSheet(mattis=Pair(5, 3), last_trick=Side.A)
HALVES = replace(SOUND, mattis=Pair(4, 4))
LEVEL = replace(HALVES, pips=Pair(18, 18))
BEATEN = replace(SOUND, mattis=Pair(0, 8), last_trick=Side.B, no_tricks=Side.A)


@pytest.fixture(autouse=True)
def _finnish():
    with translation.override("fi"):
        yield


EFFECTS = {
    EffectCode.PORVOO_NO_TRICKS: "Kopla: Porvoo, ei yhtään tikkiä (9 → 0)",
    EffectCode.PORVOO_FOUL: "Kopla: Porvoo pelivirheestä (9 → 0)",
    EffectCode.OVER_TARGET: "Kopla meni yli: 13 → 7",
    EffectCode.LAISTOKIERROS_SCORED: "Kopla sai pisteitä laistokierroksella: 9 → 7",
    EffectCode.LAISTOKIERROS_SAVED: (
        "Kopla ei saanut pisteitä laistokierroksella ja pysyi 12 pisteessä"
    ),
    EffectCode.SET_WON: "Kopla voitti 2. erän",
    EffectCode.LOST_BY_FOULS: "Kopla teki kolmannen pelivirheensä ja hävisi pelin",
    EffectCode.GAME_WON: "Kopla voitti pelin",
}
EFFECTS_ON_BOTH = {
    EffectCode.LAISTOKIERROS_CALLED: (
        "Molemmilla tasan 12: seuraava jako on laistokierros"
    ),
    EffectCode.BOTH_DROPPED: "Molemmilla tasan 12: kumpikin putosi, 12 → 7",
}


def told(code: EffectCode, side: Side | None) -> str:
    result = DealResult(
        set_number=2,
        laistokierros=False,
        dealer=None,
        leader=None,
        points=Pair(4, 1),
        score=Pair(7, 3),
        parts=Pair((), ()),
        effects=(),
    )
    return words.effect_sentence(
        Effect(code, side, "R5"),
        result=result,
        before=Pair(9, 2),
        rules=RULES,
        names=NAMES,
    )


@pytest.mark.parametrize("code", EFFECTS)
def test_effect_sentence_names_the_team_and_its_figures(code):
    assert told(code, Side.A) == EFFECTS[code]


@pytest.mark.parametrize("code", EFFECTS_ON_BOTH)
def test_effect_sentence_of_both_teams_names_neither(code):
    assert told(code, None) == EFFECTS_ON_BOTH[code]


def test_effect_sentences_are_tested_for_every_code():
    assert EFFECTS.keys() | EFFECTS_ON_BOTH.keys() == set(EffectCode)


# One sheet for each problem that a sheet can have, and what the screen says.
REFUSED = {
    Code.MATTIS_SUM: (
        replace(SOUND, mattis=Pair(5, 4)),
        "Matteja on yhteensä 9, pitäisi olla 8.",
    ),
    Code.PIPS_SUM: (
        replace(HALVES, pips=Pair(20, 10)),
        "Silmiä on yhteensä 30, pitäisi olla 36.",
    ),
    Code.ACES_SUM: (
        replace(LEVEL, aces=Pair(3, 3)),
        "Ässiä on yhteensä 6, pitäisi olla 4.",
    ),
    Code.PIPS_IMPOSSIBLE: (
        replace(HALVES, pips=Pair(35, 1)),
        "Silmiä ei voi olla 35: millään korteilla ei tule sitä määrää.",
    ),
    Code.PIPS_NEEDED: (HALVES, "Matit menivät tasan 4–4, joten tarvitaan silmät."),
    Code.ACES_NEEDED: (LEVEL, "Silmät menivät tasan 18–18, joten tarvitaan ässät."),
    Code.ACES_OVER_MATTIS: (
        replace(SOUND, mattis=Pair(6, 2), aces=Pair(1, 3)),
        "Matit: ässiä on 3, mutta matteja vain 2.",
    ),
    Code.TENS_OVER_FOUR: (
        replace(SOUND, mattis=Pair(6, 2), aces=Pair(1, 3)),
        "Kopla: matteja on 6 ja ässiä 1, joten kymppejä olisi 5, mutta pakassa on "
        "niitä vain 4.",
    ),
    Code.SMALL_TRUMPS_WITHOUT_TRUMP: (
        replace(SOUND, small_trumps=Pair(1, 1)),
        "Pikkuvaltteja on 2, mutta valtti puuttuu.",
    ),
    Code.SMALL_TRUMPS_OVER_THREE: (
        replace(SOUND, trump=Side.A, small_trumps=Pair(2, 2)),
        "Pikkuvaltteja on 4, mutta niitä voi olla enintään 3.",
    ),
    Code.SUITS_DISAGREE: (
        replace(SOUND, suits=Suits(Suit.S, Pair((), ()))),
        "Valtin maaksi on merkitty pata, mutta valtin tekijä puuttuu.",
    ),
    Code.SUIT_TWICE: (
        replace(
            SOUND,
            trump=Side.A,
            small_trumps=Pair(1, 0),
            suits=Suits(Suit.H, Pair((Suit.H,), ())),
        ),
        "Hertta on merkitty kahdesti.",
    ),
    Code.LAST_TRICK_MISSING: (
        replace(SOUND, last_trick=None),
        "Merkitse, kumpi sai viimeisen tikin.",
    ),
    Code.NO_TRICKS_BUT_MATTIS: (
        replace(BEATEN, mattis=Pair(1, 7)),
        "Kopla ei saanut tikkejä, joten sillä ei voi olla matteja.",
    ),
    Code.NO_TRICKS_BUT_PIPS: (
        replace(BEATEN, pips=Pair(4, 32)),
        "Kopla ei saanut tikkejä, joten sillä ei voi olla silmiä.",
    ),
    Code.NO_TRICKS_BUT_ACES: (
        replace(BEATEN, aces=Pair(1, 3)),
        "Kopla ei saanut tikkejä, joten sillä ei voi olla ässiä.",
    ),
    Code.NO_TRICKS_BUT_LAST_TRICK: (
        replace(BEATEN, last_trick=Side.A),
        "Kopla ei saanut tikkejä, joten viimeinenkään ei voi olla sen.",
    ),
    Code.NO_TRICKS_BUT_TRUMP: (
        replace(BEATEN, trump=Side.A),
        "Kopla ei saanut tikkejä, joten se ei voinut tehdä valttia.",
    ),
    Code.NO_TRICKS_BUT_SMALL_TRUMPS: (
        replace(BEATEN, trump=Side.B, small_trumps=Pair(1, 0)),
        "Kopla ei saanut tikkejä, joten se ei voinut tehdä pikkuvalttia.",
    ),
    Code.ABANDONED_WITHOUT_THIRD_FOUL: (
        DealSheet(abandoned=True),
        "Jako on merkitty keskeytyneeksi, mutta kummallakaan joukkueella ei ole "
        "kolmatta pelivirhettä.",
    ),
    Code.THIRD_FOUL_NOT_ABANDONED: (
        replace(SOUND, fouls=(Foul(Side.B),) * 3),
        "Matit teki kolmannen pelivirheensä, joten jako on merkittävä keskeytyneeksi.",
    ),
    Code.ABANDONED_WITH_FACTS: (
        replace(SOUND, mattis=None, fouls=(Foul(Side.B),) * 3, abandoned=True),
        "Jako keskeytyi kolmanteen pelivirheeseen, joten tätä ei merkitä: "
        "viimeinen tikki.",
    ),
    Code.FOUL_AFTER_THIRD: (
        DealSheet(fouls=(Foul(Side.B),) * 4, abandoned=True),
        "Peli päättyi, kun Matit teki kolmannen pelivirheensä; sen jälkeen ei voi "
        "olla virheitä.",
    ),
    Code.CLUB_ACE_NOT_OPENING: (
        replace(SOUND, club_ace=Seat.A2),
        "Ristiässän haltija merkitään vain erän ensimmäisessä jaossa.",
    ),
}
REFUSED_CARD_POINTS = {
    Code.CARD_POINTS_SUM: (
        DealSheet(card_points=Pair(70, 40), last_trick=Side.A),
        "Korttipisteitä on yhteensä 110, pitäisi olla 120.",
    ),
    Code.CARD_POINTS_IMPOSSIBLE: (
        DealSheet(card_points=Pair(119, 1), last_trick=Side.A),
        "Korttipisteitä ei voi olla 119: millään korteilla ei tule sitä määrää.",
    ),
    Code.NO_TRICKS_BUT_CARD_POINTS: (
        DealSheet(card_points=Pair(2, 118), last_trick=Side.B, no_tricks=Side.A),
        "Kopla ei saanut tikkejä, joten sillä ei voi olla korttipisteitä.",
    ),
}


def sentences(sheet: DealSheet, rules, code: Code) -> list[str]:
    found = sheet.problems(rules, opens_set=False, fouls_before=ZERO)
    return [words.problem_sentence(p, NAMES) for p in found if p.code is code]


@pytest.mark.parametrize("code", REFUSED)
def test_problem_sentence_tells_the_figures_that_were_wrong(code):
    sheet, sentence = REFUSED[code]

    assert sentences(sheet, RULES, code) == [sentence]


@pytest.mark.parametrize("code", REFUSED_CARD_POINTS)
def test_problem_sentence_tells_the_card_points_that_were_wrong(code):
    sheet, sentence = REFUSED_CARD_POINTS[code]

    assert sentences(sheet, CARD_POINTS, code) == [sentence]


def test_problem_sentence_says_who_has_won_already():
    state = start(RULES, 1)
    for _ in range(2):
        won = replace(SOUND, trump=Side.A, small_trumps=Pair(2, 0))
        state = advance(state, won)

    with pytest.raises(Refused) as refused:
        advance(state, SOUND)

    told = [words.problem_sentence(p, NAMES) for p in refused.value.problems]
    assert told == ["Peli on jo päättynyt: Kopla voitti sen."]


def test_problem_sentence_tells_a_missing_suit_of_trump():
    sheet = replace(SOUND, trump=Side.A, suits=Suits(None, Pair((), ())))

    assert sentences(sheet, RULES, Code.SUITS_DISAGREE) == [
        "Valtin tekijä on merkitty, mutta valtin maa puuttuu."
    ]


def test_problem_sentence_counts_suits_of_small_trumps():
    suits = Suits(Suit.S, Pair((Suit.H,), ()))
    sheet = replace(SOUND, trump=Side.A, small_trumps=Pair(2, 0), suits=suits)

    assert sentences(sheet, RULES, Code.SUITS_DISAGREE) == [
        "Pikkuvalttien maita on merkitty 1, mutta pikkuvaltteja 2."
    ]


def test_problem_sentence_names_a_missing_fact_in_finnish():
    sheet = replace(SOUND, mattis=None)

    assert sentences(sheet, RULES, Code.MISSING) == ["Merkitse matit."]


def test_every_refusal_of_a_sheet_is_tested():
    of_sheets = {
        code
        for code in Code
        if (rule := Problem(code, "").rule) and rule.startswith(("R10.", "R8."))
    }

    tested = REFUSED.keys() | REFUSED_CARD_POINTS.keys() | {Code.AFTER_THE_END}
    assert tested == of_sheets


@pytest.mark.parametrize("code", Code)
def test_problem_sentence_asks_only_for_figures_the_engine_gives(code):
    given = set(re.findall(r"{(\w+)}", problems._TEXTS[code][1]))
    if {"a", "b"} <= given:
        given.add("total")

    assert set(re.findall(r"%\((\w+)\)", str(SENTENCES[code]))) <= given


def test_problem_sentence_without_names_calls_the_teams_by_letter():
    problem = Problem(Code.AFTER_THE_END, "", (("team", "B"),))

    assert words.problem_sentence(problem) == (
        "Peli on jo päättynyt: Joukkue B voitti sen."
    )


def test_parts_sentence_adds_up_what_gave_the_points():
    parts = ((Part.TRUMP, 2), (Part.SMALL_TRUMPS, 2), (Part.MATTI, 1))

    assert words.parts_sentence(parts, RULES) == "Valtti 2 + pikkuvaltit 2 + matti 1"


def test_parts_sentence_speaks_of_card_points_where_they_are_compared():
    parts = ((Part.SMALL_TRUMPS, 1), (Part.MATTI, 1), (Part.LAST_TRICK, 1))

    assert words.parts_sentence(parts, CARD_POINTS) == (
        "Pikkuvaltti 1 + korttipisteet 1 + viimeinen tikki 1"
    )


def test_parts_sentence_without_parts_says_there_are_no_points():
    assert words.parts_sentence((), RULES) == "Ei pisteitä"


def test_parts_rules_name_each_rule_once():
    parts = ((Part.TRUMP, 2), (Part.MATTI, 1), (Part.LAST_TRICK, 1))

    assert words.parts_rules(parts) == ["R4.1", "R4.2"]


def test_part_rules_cover_every_part():
    assert set(words.PART_RULES) == set(Part)


LEVEL_TEAMS = ("Kopla", "Matit", "Ässät")
SEPARATIONS = [
    (
        Separation(
            Criterion.WON, Criterion.WON, LEVEL_TEAMS, Figures(3, 3), Figures(3, 2)
        ),
        "enemmän voitettuja pelejä, 3–2",
    ),
    (
        Separation(
            Criterion.SETS_WON,
            Criterion.SETS_WON,
            LEVEL_TEAMS,
            Figures(3, 2, 7, 4),
            Figures(3, 2, 6, 4),
        ),
        "enemmän voitettuja eriä, 7–6",
    ),
    (
        Separation(
            Criterion.SETS_LOST,
            Criterion.SETS_LOST,
            LEVEL_TEAMS,
            Figures(3, 2, 6, 3),
            Figures(3, 2, 6, 4),
        ),
        "vähemmän hävittyjä eriä, 3–4",
    ),
    (
        Separation(Criterion.WITHDRAWN, None, LEVEL_TEAMS, Figures(), Figures()),
        "jälkimmäinen on vetäytynyt",
    ),
    (
        Separation(
            Criterion.MUTUAL_GAMES,
            Criterion.WON,
            LEVEL_TEAMS[:2],
            Figures(1, 1, 2, 1),
            Figures(1, 0, 1, 2),
        ),
        "keskinäinen peli 2–1",
    ),
    (
        Separation(
            Criterion.MUTUAL_GAMES,
            Criterion.WON,
            LEVEL_TEAMS[:2],
            Figures(1, 1, 0, 1),
            Figures(1, 0, 1, 0),
        ),
        "keskinäisen pelin voitto, erät 0–1",
    ),
    (
        Separation(
            Criterion.MUTUAL_GAMES,
            Criterion.SETS_WON,
            LEVEL_TEAMS[:2],
            Figures(2, 1, 3, 2),
            Figures(2, 1, 2, 3),
        ),
        "keskinäiset pelit: enemmän voitettuja eriä, 3–2",
    ),
    (
        Separation(
            Criterion.MUTUAL_GAMES,
            Criterion.SETS_LOST,
            LEVEL_TEAMS,
            Figures(2, 1, 3, 2),
            Figures(2, 1, 3, 3),
        ),
        "keskinäiset pelit (Kopla, Matit ja Ässät): vähemmän hävittyjä eriä, 2–3",
    ),
    (Separation(Criterion.LOT, None, LEVEL_TEAMS, Figures(), Figures()), "arpa"),
]


@pytest.mark.parametrize(("separation", "reason"), SEPARATIONS)
def test_separation_reason_tells_what_differed(separation, reason):
    assert words.separation_reason(separation, separation.among) == reason


def test_separation_reasons_are_tested_for_every_criterion():
    assert {separation.criterion for separation, _reason in SEPARATIONS} == set(
        Criterion
    )


def test_separation_sentence_puts_the_better_team_first():
    separation, _reason = SEPARATIONS[-1]

    sentence = words.separation_sentence(
        separation, above="Kopla", own="Matit", among=LEVEL_TEAMS
    )

    assert sentence == "Kopla ennen joukkuetta Matit: arpa"


def test_tie_sentence_waits_for_the_lot_when_the_group_is_played():
    assert words.tie_sentence(LEVEL_TEAMS, complete=True) == (
        "Kopla, Matit ja Ässät ovat tasan: järjestys odottaa arpaa"
    )


def test_tie_sentence_leaves_room_for_games_to_come():
    assert words.tie_sentence(LEVEL_TEAMS[:2], complete=False) == (
        "Kopla ja Matit ovat tasan: jos tilanne jää tähän, lopuksi ratkaisee arpa"
    )


@pytest.mark.parametrize(
    ("names", "sentence"),
    [([], ""), (["A"], "A"), (["A", "B"], "A ja B"), (["A", "B", "C"], "A, B ja C")],
)
def test_listing_joins_names_as_one_speaks(names, sentence):
    assert words.listing(names) == sentence


def test_duty_sentence_is_its_own_for_every_duty():
    sentences = {words.duty_sentence(duty) for duty in Duty}

    assert len(sentences) == len(Duty)
    assert words.duty_sentence(Duty.OVERTAKE) == (
        "Ylimenopakko: tikin paras kortti on voitettava."
    )
