"""What a deal gives, and how sets are won and lost by it (R4 to R7)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from komppa.rulebook.kinds import Chapter, Rule, Terms
from scoring.rulesets import BothOnTarget, Comparison, CorrectedFoul, NoTricks


def deal_points(terms: Terms) -> Chapter:
    rules = (
        Rule(
            "R4.1",
            (
                _(
                    "Valtista saa 2 pistettä, jokaisesta pikkuvaltista 1 pisteen ja "
                    "viimeisen tikin voitosta 1 pisteen."
                ),
            ),
        ),
        Rule("R4.2", _comparison(terms)),
        Rule(
            "R4.3",
            (
                _(
                    "Jaosta joukkue saa siis 0–7 pistettä, ja molemmat yhteensä saavat "
                    "enintään 7."
                ),
            ),
        ),
    )
    return Chapter("R4", _("Jaon pisteet"), rules)


def _comparison(terms: Terms) -> tuple[str, ...]:
    if terms.rules.comparison is Comparison.CARD_POINTS:
        return (
            _(
                "Joukkue, joka kerää enemmän korttipisteitä, saa 1 pisteen. Ässä on "
                "11, kymppi 10, kuningas 4, rouva 3 ja sotilas 2, pakassa yhteensä 120."
            ),
            _("Jos korttipisteet menevät tasan 60–60, pistettä ei saa kumpikaan."),
        )
    return (
        _("Mattipisteen, 1 pisteen, saa joukkue, joka kerää enemmän matteja."),
        _(
            "Jos matit menevät tasan 4–4, pisteen saa joukkue, jolla on enemmän "
            "silmiä. Jos silmätkin menevät tasan 18–18, sen saa joukkue, jolla on "
            "enemmän ässiä. Jos ässätkin menevät tasan 2–2, pistettä ei saa kumpikaan."
        ),
    )


def set_score(terms: Terms) -> Chapter:
    figures = terms.figures
    is_drawn_out = terms.rules.both_on_target is BothOnTarget.LAISTOKIERROS
    rules = (
        Rule(
            "R5.1",
            (
                _(
                    "Erän voittaa joukkue, jolla on jaon jälkeen tasan %(target)d "
                    "pistettä, paitsi jos molemmilla on %(target)d (R6)."
                )
                % figures,
            ),
        ),
        Rule(
            "R5.2",
            (
                _(
                    "Joukkue, joka menee yli %(target)d pisteen, putoaa %(drop_to)d "
                    "pisteeseen, meni se yli kuinka paljon tahansa."
                )
                % figures,
            ),
        ),
        Rule(
            "R5.3",
            (
                _(
                    "Porvoo: joukkue, joka ei saa jaossa yhtään tikkiä, putoaa 0 "
                    "pisteeseen."
                ),
                *([_("Laistokierroksesta katso R6.5.")] if is_drawn_out else []),
            ),
        ),
        Rule("R5.4", _porvoo_by_foul(terms)),
        Rule(
            "R5.5",
            (
                _(
                    "Jaon lopussa katsotaan ensin Porvoo (R5.3, R5.4). Muille lisätään "
                    "pisteet, sitten katsotaan, menikö joku yli (R5.2), ja lopuksi, "
                    "voittiko joku erän (R5.1) tai onko molemmilla tasan %(target)d "
                    "(R6)."
                )
                % figures,
            ),
        ),
        Rule(
            "R5.6",
            (
                _(
                    "Jokainen erä alkaa tilanteesta 0–0. Pelivirheet sen sijaan "
                    "kulkevat mukana erästä toiseen (R7)."
                ),
            ),
        ),
        Rule(
            "R5.7",
            (_("Pelin voittaa joukkue, joka voittaa sovitun määrän eriä."),),
            chosen=_("Erävoittoja pelin voittoon: %(sets)d, finaalissa %(final)d.")
            % {
                "sets": terms.agreed.sets_to_win,
                "final": terms.agreed.final_sets_to_win,
            },
        ),
    )
    return Chapter("R5", _("Erän pisteet ja Porvoo"), rules)


def _porvoo_by_foul(terms: Terms) -> tuple[str, ...]:
    if terms.rules.comparison is Comparison.CARD_POINTS:
        lost = _(
            "Virheen tehneen joukkueen kortit lasketaan niin kuin ne ovat: jos sillä "
            "on enemmän korttipisteitä tai viimeinen tikki, sitä pistettä ei saa "
            "kumpikaan."
        )
    else:
        lost = _(
            "Virheen tehneen joukkueen kortit lasketaan niin kuin ne ovat: jos "
            "mattipiste tai viimeinen tikki olisi sen, sitä pistettä ei saa kumpikaan."
        )
    if terms.rules.corrected_foul is CorrectedFoul.FOUL:
        corrected = _("Sama koskee heti korjattua virhettä (R7.3).")
    else:
        corrected = _(
            "Heti korjatusta virheestä ei kuitenkaan mennä Porvooseen (R7.3)."
        )
    return (
        _(
            "Porvoo: joukkue, joka tekee pelivirheen, putoaa 0 pisteeseen eikä saa "
            "jaosta mitään."
        ),
        corrected,
        _(
            "Jos virhe ei ollut joukkueen kolmas (R7.1), jako pelataan loppuun ja "
            "toinen joukkue saa pisteensä tavalliseen tapaan."
        ),
        lost,
        _("Samassa jaossa molemmat voivat mennä Porvooseen."),
    )


def both_on_target(terms: Terms) -> Chapter:
    title = _("Molemmilla tasan %(target)d") % terms.figures
    is_drawn_out = terms.rules.both_on_target is BothOnTarget.LAISTOKIERROS
    rules = _laistokierros(terms) if is_drawn_out else _no_laistokierros()
    return Chapter("R6", title, (*rules, _ways_on(terms)))


def _no_laistokierros() -> tuple[Rule, ...]:
    text = _("Laistokierrosta ei pelata (R6.6).")
    return tuple(Rule(f"R6.{n}", (text,), is_in_force=False) for n in range(1, 6))


def _laistokierros(terms: Terms) -> tuple[Rule, ...]:
    figures = terms.figures
    goes_to_porvoo = terms.rules.laistokierros_no_tricks is NoTricks.PORVOO
    exception = (
        [_("Ilman tikkiä jäänyt joukkue menee kuitenkin Porvooseen (R6.5).")]
        if goes_to_porvoo
        else []
    )
    return (
        Rule(
            "R6.1",
            (
                _(
                    "Jos molemmilla on saman jaon jälkeen tasan %(target)d pistettä, "
                    "erän seuraava jako on laistokierros, jossa pisteitä vältellään."
                )
                % figures,
                _(
                    "Muuten se on tavallinen jako: valtteja saa tehdä, ja pelivirheet "
                    "ja Porvoo ovat voimassa."
                ),
            ),
        ),
        Rule(
            "R6.2",
            (
                _(
                    "Laistokierroksella pisteitä saanut joukkue putoaa %(drop_to)d "
                    "pisteeseen. Joukkue, joka ei saa pisteitä, pysyy %(target)d "
                    "pisteessä. Jos sen jälkeen vain toisella on %(target)d, se "
                    "voittaa erän."
                )
                % figures,
                *exception,
            ),
        ),
        Rule(
            "R6.3",
            (
                _(
                    "Jos molemmat saivat pisteitä, tilanne on %(drop_to)d–%(drop_to)d "
                    "ja erä jatkuu tavallisella jaolla. Viimeisestä tikistä saa aina "
                    "pisteen, joten molemmat eivät voi pysyä %(target)d pisteessä."
                )
                % figures,
            ),
        ),
        Rule(
            "R6.4",
            (
                _(
                    "Pelivirhe laistokierroksella: virheen tehnyt joukkue putoaa 0 "
                    "pisteeseen (R5.4). Jos toinen joukkue ei saanut pisteitä, se "
                    "pysyy %(target)d pisteessä ja voittaa erän; muuten se putoaa "
                    "%(drop_to)d pisteeseen. Jos molemmat tekivät virheen, tilanne on "
                    "0–0 ja erä jatkuu tavallisella jaolla."
                )
                % figures,
                *exception,
            ),
        ),
        _no_tricks(terms),
    )


def _no_tricks(terms: Terms) -> Rule:
    if terms.rules.laistokierros_no_tricks is NoTricks.STAYS:
        chosen = _(
            "Laistokierroksella ilman tikkiä jäänyt joukkue pysyy %(target)d "
            "pisteessä: tämän jaon oma sääntö (R6.2) on vahvempi."
        )
    else:
        chosen = _(
            "Laistokierroksella ilman tikkiä jäänyt joukkue menee Porvooseen, 0 "
            "pisteeseen (R5.3)."
        )
    return Rule(
        "R6.5",
        (
            _(
                "Joukkue, joka ei saa laistokierroksella yhtään tikkiä, ei saa "
                "pisteitäkään. Turnaus päättää, pysyykö se %(target)d pisteessä (R6.2) "
                "vai meneekö se Porvooseen (R5.3)."
            )
            % terms.figures,
        ),
        chosen=chosen % terms.figures,
    )


def _ways_on(terms: Terms) -> Rule:
    if terms.rules.both_on_target is BothOnTarget.LAISTOKIERROS:
        chosen = _("Kun molemmilla on tasan %(target)d, pelataan laistokierros.")
    else:
        chosen = _(
            "Kun molemmilla on tasan %(target)d, molemmat putoavat %(drop_to)d "
            "pisteeseen. Laistokierrosta ei pelata."
        )
    return Rule(
        "R6.6",
        (
            _(
                "Turnaus päättää, pelataanko laistokierros vai putoavatko molemmat "
                "%(drop_to)d pisteeseen, josta erä jatkuu tavallisella jaolla."
            )
            % terms.figures,
        ),
        chosen=chosen % terms.figures,
    )


def fouls(terms: Terms) -> Chapter:
    chosen = {
        CorrectedFoul.FREE: _(
            "Heti korjatusta virheestä ei mennä Porvooseen, eikä sitä lasketa."
        ),
        CorrectedFoul.COUNTS: _(
            "Heti korjatusta virheestä ei mennä Porvooseen, mutta se lasketaan kolmeen."
        ),
        CorrectedFoul.FOUL: _("Heti korjattu virhe on kuin muutkin virheet."),
    }
    rules = (
        Rule(
            "R7.1",
            (
                _(
                    "Pelivirheet lasketaan joukkueelle koko pelin ajalta. Kolmannesta "
                    "joukkue häviää pelin heti, oli tilanne mikä tahansa, eikä jakoa "
                    "pelata loppuun."
                ),
                _("Heti korjattua virhettä ei lasketa (R7.3).")
                if terms.rules.corrected_foul is CorrectedFoul.FREE
                else _("Myös heti korjattu virhe lasketaan (R7.3)."),
            ),
        ),
        Rule(
            "R7.2",
            (
                _(
                    "Jaon pelivirheet kirjataan siinä järjestyksessä, jossa ne "
                    "tapahtuivat, jotta tiedetään, kumpi ehti kolmeen ensin. Kolmannen "
                    "jälkeen ei kirjata enää mitään."
                ),
            ),
        ),
        Rule(
            "R7.3",
            (
                _(
                    "Jos väärä kortti huomataan, kun tikin kortit ovat vielä pöydällä, "
                    "se vaihdetaan oikeaan. Se kirjataan heti korjatuksi virheeksi."
                ),
            ),
            chosen=chosen[terms.rules.corrected_foul],
        ),
    )
    return Chapter("R7", _("Pelivirheet"), rules)
