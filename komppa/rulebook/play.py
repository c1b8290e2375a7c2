"""How a deal is played (R1 to R3)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from komppa.rulebook.kinds import Chapter, Rule, Terms
from scoring.rulesets import Comparison


def cards(terms: Terms) -> Chapter:
    return Chapter("R1", _("Kortit"), (_pack(terms), _marks(), _mattis(terms)))


def _pack(terms: Terms) -> Rule:
    pack = _(
        "Pakassa on 36 korttia. Maita on neljä: risti, ruutu, hertta ja pata. "
        "Kussakin maassa kortit ovat suurimmasta pienimpään ässä, 10, kuningas, "
        "rouva, sotilas, 9, 8, 7 ja 6."
    )
    if not terms.is_for_two:
        return Rule(
            "R1.1",
            (pack, _("Jokainen saa 9 korttia, ja jaossa pelataan 9 tikkiä.")),
        )
    dealt = _(
        "Kumpikin saa 18 korttia, ja jaossa pelataan 18 tikkiä. Korteista 4 tulee "
        "käteen, 7 pöydälle kuvapuoli alaspäin ja 7 niiden päälle avoimiksi, yksi "
        "kunkin päälle."
    )
    turned = _(
        "Tikkiin pelataan kädestä tai avoimista korteista. Kun avoin kortti on "
        "pelattu, sen alla ollut kortti käännetään esiin heti tikin jälkeen, ennen "
        "kuin tehdään mitään muuta."
    )
    return Rule("R1.1", (pack, dealt, turned))


def _marks() -> Rule:
    return Rule(
        "R1.2",
        (
            _(
                "Kortti merkitään maan kirjaimella ja arvolla. C on risti, D ruutu, H "
                "hertta ja S pata; A on ässä, K kuningas, Q rouva ja J sotilas."
            ),
            _(
                "Esimerkiksi CA on ristiässä, D10 ruutukymppi, HK herttakuningas, SQ "
                "patarouva, CJ ristisotilas ja S9 patayhdeksän."
            ),
        ),
    )


def _mattis(terms: Terms) -> Rule:
    mattis = _("Ässiä ja kymppejä kutsutaan mateiksi. Niitä on pakassa 8.")
    if terms.rules.comparison is Comparison.CARD_POINTS:
        counted = _(
            "Niitä ei kuitenkaan lasketa, eikä silmiäkään: pisteen ratkaisevat "
            "korttipisteet (R4.2)."
        )
    else:
        counted = _(
            "Silmiä on kuninkaassa 4, rouvassa 3 ja sotilaassa 2, pakassa yhteensä 36."
        )
    return Rule("R1.3", (mattis, counted))


def tricks(terms: Terms) -> Chapter:
    texts = [
        _(
            "Pakot katsotaan yksi kerrallaan. Jokainen jättää pelaajalle osan hänen "
            "korteistaan, ja lopuksi jäljelle jääneistä hän saa pelata minkä tahansa. "
            "Pakko, jota ei voi noudattaa, ei sido."
        ),
        _(
            "Tikkiin pelaavan pakot ovat vahvimmasta heikoimpaan maapakko (R2.1), "
            "valttipakko (R2.2), ensimmäisessä tikissä ässäpakko (R2.6) ja viimeisenä "
            "ylimenopakko (R2.3). Tikin aloittajaa sitoo ensimmäisessä tikissä R2.5 ja "
            "pikkuvaltin jälkeen R2.8."
        ),
    ]
    if terms.is_for_two:
        texts.append(
            _(
                "Pakot koskevat kortteja, jotka pelaaja näkee ominaan: käden kortteja "
                "ja avoimia kortteja. Kuvapuoli alaspäin oleva kortti ei sido ketään."
            )
        )
    rules = (
        Rule(
            "R2.1",
            (
                _(
                    "Maapakko: pelaajan on pelattava sitä maata, jolla tikki "
                    "aloitettiin, jos hänellä on sitä."
                ),
            ),
        ),
        Rule(
            "R2.2",
            (
                _(
                    "Valttipakko: jos pelaajalla ei ole aloitettua maata, hänen on "
                    "pelattava valttia, jos valtti on tehty ja hänellä on sitä."
                ),
            ),
        ),
        _overtaking(terms),
        Rule(
            "R2.4",
            (
                _(
                    "Jos pelaajalla ei ole aloitettua maata eikä valttia, hän saa "
                    "pelata minkä tahansa kortin. Myös tikin aloittaja saa valita "
                    "korttinsa, ellei muu sääntö sido häntä (R2.5, R2.8)."
                ),
            ),
        ),
        _first_lead(terms),
        _first_trick(terms),
        Rule(
            "R2.7",
            (
                _(
                    "Tikin voittaa suurin valtti tai, jos valttia ei ole pelattu, "
                    "aloitetun maan suurin kortti. Voittaja aloittaa seuraavan tikin."
                ),
            ),
        ),
        Rule(
            "R2.8",
            (
                _(
                    "Pikkuvaltin (R3.6) jälkeen seuraava tikki on aloitettava "
                    "pikkuvaltin maalla, jos aloittajalla on sitä."
                ),
            ),
        ),
        Rule(
            "R2.9",
            (
                _(
                    "Kuka tahansa saa katsoa jaon ensimmäistä ja viimeisintä tikkiä, "
                    "kun uuteen tikkiin ei ole vielä pelattu korttia."
                ),
            ),
        ),
    )
    return Chapter("R2", _("Tikkiin pelaaminen"), rules, tuple(texts))


def _overtaking(terms: Terms) -> Rule:
    texts = [
        _(
            "Ylimenopakko: jos jokin kortti, jonka maapakko tai valttipakko sallii, "
            "voittaa tikin siihen asti parhaan kortin, sellainen on pelattava. Jos "
            "niitä on useita, pelaaja valitsee niistä."
        )
    ]
    if not terms.is_for_two:
        texts.append(_("Ylimenopakko koskee myös oman parin pelaamaa korttia."))
    texts.append(
        _(
            "Ylimenopakko ei kumoa maapakkoa. Jos tikki aloitettiin muulla maalla kuin "
            "valtilla ja siihen on jo pelattu valtti, pelaaja saa pelata minkä tahansa "
            "aloitetun maan kortin."
        )
    )
    return Rule("R2.3", tuple(texts))


def _first_lead(terms: Terms) -> Rule:
    opening = (
        _(
            "Jos erän ensimmäisen jaon aloittaja näkee omissa korteissaan ristiässän, "
            "hänen on aloitettava juuri sillä."
        )
        if terms.is_for_two
        else _(
            "Erän ensimmäisessä jaossa ristiässän haltijan on aloitettava juuri "
            "ristiässällä."
        )
    )
    return Rule(
        "R2.5",
        (
            _(
                "Jaon ensimmäinen tikki on aloitettava ässällä. Jos aloittajalla on "
                "useita, hän valitsee niistä. Jos hänellä ei ole ässää, hänen on "
                "aloitettava padalla (patapakko). Jos ei ole pataakaan, hän saa "
                "aloittaa millä tahansa."
            ),
            opening,
        ),
    )


def _first_trick(terms: Terms) -> Rule:
    texts = [
        _(
            "Ässäpakko: jos ensimmäiseen tikkiin pelaavalla on aloitetun maan ässä, se "
            "on pelattava, vaikka jokin muukin kortti voittaisi tikin."
        )
    ]
    if terms.is_for_two:
        texts.append(_("Ässä, joka on vielä kuvapuoli alaspäin, ei sido."))
    texts.append(_("Ensimmäisessä tikissä ei ole valttia."))
    return Rule("R2.6", tuple(texts))


def trumps(terms: Terms) -> Chapter:
    rules = (
        _when_to_make(terms),
        _ways_to_make(terms),
        _successes(terms),
        _burning(terms),
        _whole_questions(terms),
        _makers_lead(terms),
        Rule("R3.7", (_("Tekijä sanoo maan ääneen: ”pata on valttia”."),)),
    )
    return Chapter("R3", _("Valtti ja pikkuvaltit"), rules)


def _when_to_make(terms: Terms) -> Rule:
    start = _("Jaon alussa ei ole valttia.")
    if terms.is_for_two:
        when = _(
            "Tikin voittaja saa tehdä valtin tai pikkuvaltin ennen kuin hän aloittaa "
            "seuraavan tikin, aikaisintaan toisen ja viimeistään seitsemännentoista "
            "tikin jälkeen. Yhden voitetun tikin jälkeen saa tehdä vain yhden."
        )
    else:
        when = _(
            "Tikin voittaja saa yrittää tehdä valtin tai pikkuvaltin ennen kuin hän "
            "aloittaa seuraavan tikin, aikaisintaan toisen ja viimeistään kahdeksannen "
            "tikin jälkeen. Yhden voitetun tikin jälkeen saa yrittää kerran: "
            "kieltäväkin vastaus käyttää yrityksen."
        )
    return Rule("R3.1", (start, when))


def _ways_to_make(terms: Terms) -> Rule:
    if terms.is_for_two:
        return Rule(
            "R3.2",
            (
                _(
                    "Valtti ja pikkuvaltti tehdään ilmoittamalla oma kokonainen: saman "
                    "maan kuningas ja rouva, jotka ovat kumpikin yhä pelaajan kädessä "
                    "tai avoimina hänen edessään."
                ),
                _("Kysymyksiä ei ole, koska pelaajalla ei ole paria."),
                _(
                    "Kumpikin pelaaja saa tehdä pikkuvaltteja, teki valtin kumpi "
                    "tahansa."
                ),
            ),
        )
    return Rule(
        "R3.2",
        (
            _(
                "Kumpikin joukkue saa tehdä pikkuvaltteja, teki valtin kumpi tahansa. "
                "Keinoja on kolme:"
            ),
        ),
        ways=(
            _(
                "Ilmoita oma kokonainen: saman maan kuningas ja rouva, jotka ovat "
                "kumpikin yhä kädessä."
            ),
            _(
                "Kysy pariltasi kokonaista. Parin on vastattava totuudenmukaisesti: "
                "”ei” tai yksi maa, jonka kokonaista hän voi vielä käyttää. Jos niitä "
                "on useita, hän valitsee."
            ),
            _(
                "Kysy pariltasi puolikasta maasta, josta sinulla itselläsi on vain "
                "toinen puolikas, kuningas tai rouva. Parin on vastattava "
                "totuudenmukaisesti ”kyllä” tai ”ei”."
            ),
        ),
    )


def _successes(terms: Terms) -> Rule:
    if terms.is_for_two:
        texts = (
            _(
                "Jaon ensimmäinen ilmoitettu kokonainen tekee maastaan valtin: 2 "
                "pistettä."
            ),
            _(
                "Jokainen myöhempi on pikkuvaltti, ilmoitti sen kumpi tahansa: 1 "
                "piste. Valtti ei vaihdu."
            ),
        )
    else:
        texts = (
            _(
                "Jaon ensimmäinen onnistunut yritys tekee maasta valtin, ja joukkue "
                "saa 2 pistettä."
            ),
            _(
                "Jokainen myöhempi onnistunut yritys on pikkuvaltti, teki sen kumpi "
                "joukkue tahansa, ja joukkue saa 1 pisteen. Valtti ei vaihdu."
            ),
        )
    once = _("Samasta maasta voi tehdä valtin tai pikkuvaltin vain kerran jaossa.")
    return Rule("R3.3", (*texts, once))


def _burning(terms: Terms) -> Rule:
    if terms.is_for_two:
        text = _("Mikään ei pala, koska kysymyksiä ei ole (R3.2).")
        return Rule("R3.4", (text,), is_in_force=False)
    return Rule(
        "R3.4",
        (
            _(
                "Palaminen: kun kysytään kokonaista, kysyjän omat kokonaiset palavat. "
                "Kun kysytään puolikasta, palavat molempien, kysyjän ja hänen parinsa, "
                "kokonaiset. Näin käy, oli vastaus mikä tahansa."
            ),
            _(
                "Palaneita ovat ne kokonaiset, jotka olivat sillä hetkellä kädessä. "
                "Niistä ei voi enää siinä jaossa tehdä valttia eikä pikkuvalttia, eikä "
                "niillä vastata myöhempään kysymykseen. Kortit jäävät peliin."
            ),
        ),
    )


def _whole_questions(terms: Terms) -> Rule:
    if terms.is_for_two:
        return Rule("R3.5", (_("Kysymyksiä ei ole (R3.2)."),), is_in_force=False)
    if terms.rules.whole_questions_after_trump:
        text = _("Kokonaista saa kysyä myös valtin teon jälkeen, samalla tavalla.")
    else:
        text = _(
            "Valtin teon jälkeen kokonaista ei saa enää kysyä. Puolikasta saa kysyä, "
            "ja oman kokonaisen saa ilmoittaa."
        )
    return Rule("R3.5", (text,))


def _makers_lead(terms: Terms) -> Rule:
    if terms.is_for_two:
        lead = _("Pikkuvaltin tekijä aloittaa seuraavan tikin sen maalla.")
    else:
        lead = _(
            "Pikkuvaltin tekijä, siis se, joka ilmoitti tai kysyi, aloittaa seuraavan "
            "tikin sen maalla, jos hänellä on sitä. Näin on myös silloin, kun "
            "kokonainen oli hänen parillaan."
        )
    return Rule("R3.6", (lead, _("Valtin teko ei sido aloitusta.")))
