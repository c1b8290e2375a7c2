"""What is agreed for the evening: seats, standings and score sheets (R8 to R10)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from komppa.rulebook.kinds import Chapter, Rule, Terms
from scoring.rulesets import Comparison


def seats(terms: Terms) -> Chapter:
    if terms.is_for_two:
        first = (
            _(
                "Erän ensimmäisen jaon aloittaa pelaaja, joka näkee omissa korteissaan "
                "ristiässän. Jos kumpikaan ei näe sitä, aloittaa se, joka ei jakanut."
            ),
            _(
                "Jakajasta saa sopia. Kortit jaetaan vuorotellen, ensimmäinen "
                "vastustajalle."
            ),
        )
        later = _(
            "Erän myöhemmissä jaoissa jakaa se, joka aloitti edellisen jaon, ja hänen "
            "vastustajansa aloittaa."
        )
        so = _(
            "Kun siis tiedetään, kuka aloitti erän ensimmäisen jaon, tiedetään erän "
            "jokaisen jaon jakaja ja aloittaja."
        )
    else:
        first = (
            _("Erän ensimmäisen jaon aloittaa ristiässän haltija (R2.5)."),
            _(
                "Jakajasta saa sopia. Kortit jaetaan myötäpäivään jakajan vasemmalta "
                "alkaen."
            ),
        )
        later = _(
            "Erän myöhemmissä jaoissa jakaa se, joka aloitti edellisen jaon, ja hänen "
            "vasemmalla puolellaan istuva aloittaa."
        )
        so = _(
            "Kun siis tiedetään, kenellä ristiässä oli erän ensimmäisessä jaossa, "
            "tiedetään erän jokaisen jaon jakaja ja aloittaja."
        )
    rules = (Rule("R8.1", first), Rule("R8.2", (later,)), Rule("R8.3", (so,)))
    return Chapter("R8", _("Kuka jakaa ja kuka aloittaa"), rules)


def standings(terms: Terms) -> Chapter:
    rules = (
        Rule("R9.1", (_("Voitetut pelit: enemmän on parempi."),)),
        Rule("R9.2", (_("Voitetut erät: enemmän on parempi."),)),
        Rule("R9.3", (_("Hävityt erät: vähemmän on parempi."),)),
        _mutual_games(),
        _lot(),
        Rule(
            "R9.6",
            (
                _(
                    "Joukkueet, jotka jäävät silti tasan, jakavat sijan (1, 2, 2, 4), "
                    "ja ne merkitään tasan oleviksi."
                ),
            ),
        ),
        Rule(
            "R9.7",
            (
                _(
                    "Jokaisesta sijasta kerrotaan, mikä sääntö erotti joukkueen sen "
                    "yläpuolella olevasta."
                ),
            ),
        ),
        _game_lost_by_fouls(terms),
        Rule(
            "R9.9",
            (
                _(
                    "Luovutus: voittaja saa kaikki pelin voittoon vaadittavat erät ja "
                    "häviäjä 0."
                ),
                _("Mitätöityä peliä ei lasketa kummallekaan."),
            ),
        ),
        _withdrawal(terms),
        Rule(
            "R9.11",
            (
                _(
                    "Jos kumpikin joukkue on poissa, peli on pelattu ja molemmille "
                    "hävitty, erät 0–0. Voittajaa ei ole."
                ),
            ),
        ),
    )
    text = _(
        "Vain päättyneet pelit lasketaan. Järjestyksen ratkaisee kohdista R9.1–R9.5 "
        "ensimmäinen, joka erottaa joukkueet."
    )
    return Chapter("R9", _("Järjestys lohkossa"), rules, (text,), _going_on(terms))


def _mutual_games() -> Rule:
    return Rule(
        "R9.4",
        (
            _(
                "Keskinäiset pelit: kohtien R9.1, R9.2 ja R9.3 luvut lasketaan tasan "
                "olevien joukkueiden keskinäisistä peleistä, yksi luku kerrallaan. Kun "
                "jokin luku erottaa joukkueet, ne, jotka ovat vielä tasan, aloittavat "
                "keskenään uudelleen ensimmäisestä luvusta, ja mukana ovat vain niiden "
                "omat keskinäiset pelit. Kahdesta joukkueesta edellä on siis se, joka "
                "voitti niiden pelin."
            ),
            _(
                "Keskinäiset pelit ratkaisevat vain, jos kaikki tasan olevat ovat "
                "pelanneet toisiaan vastaan ainakin yhden pelin loppuun. Muuten kohta "
                "ohitetaan kaikilta."
            ),
            _(
                "Jos kaksi joukkuetta on kohdannut kahdesti, molemmat pelit lasketaan. "
                "Mitätöity peli, jota ei pelata uudelleen, on pelaamatta."
            ),
        ),
    )


def _lot() -> Rule:
    return Rule(
        "R9.5",
        (
            _(
                "Arpa: sen vetää vain järjestäjä, ja vain tasatilanteesta, jonka "
                "kohdat R9.1–R9.4 jättävät valmiiseen lohkoon. Sivun avaaminen ei "
                "koskaan vedä arpaa."
            ),
            _(
                "Arpa ratkaisee viimeisenä ja vain juuri niiden joukkueiden "
                "järjestyksen, joille se vedettiin. Arvan tulos, siemenluku, vetäjä ja "
                "aika jäävät muistiin; paperilla vedetyllä ei ole siemenlukua. Jos "
                "korjaus poistaa tasatilanteen, arpa jää muistiin, mutta sitä ei "
                "käytetä."
            ),
        ),
    )


def _game_lost_by_fouls(terms: Terms) -> Rule:
    chosen = (
        _("Kun peli päättyy kolmanteen virheeseen, voittaja saa puuttuvat eränsä.")
        if terms.agreed.full_sets_after_fouls
        else _(
            "Kun peli päättyy kolmanteen virheeseen, erät jäävät niin kuin ne olivat."
        )
    )
    text = _("Kolmeen pelivirheeseen hävitty peli on toisen joukkueen voitto.")
    return Rule("R9.8", (text,), chosen=chosen)


def _withdrawal(terms: Terms) -> Rule:
    chosen = (
        _(
            "Vetäytyneen joukkueen pelatut pelit jäävät voimaan, ja pelaamattomat ovat "
            "luovutuksia. Joukkue pitää sijansa, mutta jää niiden taakse, joilla on "
            "samat luvut."
        )
        if terms.agreed.walkovers_after_withdrawal
        else _(
            "Vetäytyneen joukkueen kaikki lohkopelit mitätöidään, myös pelatut. "
            "Joukkue poistuu järjestyksestä ja luetellaan sen alla ilman sijaa."
        )
    )
    return Rule(
        "R9.10",
        (
            _(
                "Joukkue voi vetäytyä, tai se voidaan sulkea kilpailusta. Turnaus "
                "päättää, miten sen lohkopelien käy. Jos vetäytyminen perutaan, kaikki "
                "palaa ennalleen."
            ),
        ),
        chosen=chosen,
    )


def _going_on(terms: Terms) -> tuple[str, ...]:
    agreed = terms.agreed
    count = agreed.qualifiers_per_group
    said = [
        ngettext(
            "Jokaisesta lohkosta pääsee jatkoon paras.",
            "Jokaisesta lohkosta pääsee jatkoon %(count)s parasta.",
            count,
        )
        % {"count": count}
    ]
    if agreed.best_next:
        said.append(
            ngettext(
                "Lisäksi pääsee paras seuraavaksi sijoittuneista.",
                "Lisäksi pääsee %(count)s parasta seuraavaksi sijoittuneista.",
                agreed.best_next,
            )
            % {"count": agreed.best_next}
        )
    if agreed.bronze_game:
        said.append(_("Välierien häviäjät pelaavat kolmannesta sijasta."))
    return tuple(said)


def score_sheets(terms: Terms) -> Chapter:
    counts_points = terms.rules.comparison is Comparison.CARD_POINTS
    empty_handed = (
        _(
            "Joukkueella, joka jäi ilman tikkejä, ei ole korttipisteitä, viimeistä "
            "tikkiä, valttia eikä pikkuvaltteja. Ilman tikkejä voi jäädä enintään yksi "
            "joukkue."
        )
        if counts_points
        else _(
            "Joukkueella, joka jäi ilman tikkejä, ei ole matteja, silmiä, ässiä, "
            "viimeistä tikkiä, valttia eikä pikkuvaltteja. Ilman tikkejä voi jäädä "
            "enintään yksi joukkue."
        )
    )
    rules = (
        Rule("R10.1", _sums_of_points() if counts_points else _sums_of_mattis()),
        Rule(
            "R10.2",
            (
                _(
                    "Pikkuvaltteja ei voi olla ilman valttia, ja niitä on yhteensä "
                    "enintään 3. Merkityt maat sopivat valttiin ja pikkuvaltteihin, "
                    "eikä mikään maa ole mukana kahdesti."
                ),
            ),
        ),
        Rule("R10.3", (_("Viimeisellä tikillä on voittaja."), empty_handed)),
        Rule(
            "R10.4",
            (
                _(
                    "Jako merkitään keskeytyneeksi aina ja vain silloin, kun joukkueen "
                    "virhe on sen kolmas siinä pelissä. Silloin jaosta merkitään vain "
                    "virheet."
                ),
            ),
        ),
        Rule("R10.5", (_("Kun peli on voitettu, siihen ei kirjata enää jakoja."),)),
    )
    text = _(
        "Jakopöytäkirjaa ei tallenneta, jos sen tiedot eivät voi olla kaikki totta. "
        "Silloin kaikki syyt kerrotaan kerralla."
    )
    return Chapter("R10", _("Pöytäkirjan tarkistus"), rules, (text,))


def _sums_of_points() -> tuple[str, ...]:
    return (
        _(
            "Korttipisteitä on yhteensä 120, eikä joukkueella voi olla niitä alle 0. "
            "Korttipisteitä ei voi olla 1 eikä 119: millään korteilla ei tule sitä "
            "määrää."
        ),
    )


def _sums_of_mattis() -> tuple[str, ...]:
    return (
        _(
            "Matteja on yhteensä 8, silmiä 36 ja ässiä 4, eikä joukkueella voi olla "
            "mitään niistä alle 0. Silmiä ei voi olla 1 eikä 35: millään korteilla ei "
            "tule sitä määrää."
        ),
        _(
            "Silmät tarvitaan, kun matit menevät tasan 4–4, ja ässät, kun silmätkin "
            "menevät tasan 18–18."
        ),
        _(
            "Jos niitä merkitään muulloinkin, nekin tarkistetaan: joukkueella on "
            "enintään yhtä monta ässää kuin mattia, ja sen muut matit ovat kymppejä, "
            "joita on enintään 4."
        ),
    )
