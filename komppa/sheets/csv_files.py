"""Standings, games and deals as CSV, for a spreadsheet.

Semicolons and a byte order mark: LibreOffice and a Finnish Excel both open it right.
A text that a spreadsheet would take for a formula gets an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from komppa.cup.models import Cup, Game
from komppa.cup.previews import picture_of
from komppa.cup.queries import games_of, group_standings
from komppa.cup.words_of_moves import game_words
from komppa.sheets.queries import PlayedDeal, course_of, names_of
from scoring.sides import Pair, Side

Row = list[object]

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def standings_csv(cup: Cup) -> str:
    """Return every group's rows, those who have left the order last."""
    header = [_("lohko"), _("sija"), _("joukkue"), _("pelejä"), _("voittoja")]
    header += [_("häviöitä"), _("eriä voitettu"), _("eriä hävitty"), _("jatkaa")]
    return _text(header, _standing_rows(cup))


def games_csv(cup: Cup) -> str:
    header = [_("peli"), _("lohko"), _("pöytä"), _("joukkue A"), _("joukkue B")]
    header += [_("erät A"), _("erät B"), _("voittaja"), _("tilanne"), _("jakoja")]
    return _text(header, _game_rows(cup))


def deals_csv(cup: Cup) -> str:
    """Return the deals that stand, with what each gave."""
    header = [_("peli"), _("jako"), _("erä"), _("laistokierros"), _("valtti")]
    header += [_("pikkuvaltit A"), _("pikkuvaltit B"), _("viimeinen tikki")]
    for figure in (_("matit"), _("silmät"), _("ässät"), _("korttipisteet")):
        header += [f"{figure} A", f"{figure} B"]
    header += [_("ei yhtään tikkiä"), _("pelivirheet"), _("jako keskeytyi")]
    header += [_("ristiässä"), _("pisteet A"), _("pisteet B"), _("erän tilanne A")]
    header += [_("erän tilanne B"), _("kirjattu"), _("kirjaaja"), _("versio")]
    return _text(header, _deal_rows(cup))


CSV_FILES: Mapping[str, Callable[[Cup], str]] = {
    "standings": standings_csv,
    "games": games_csv,
    "deals": deals_csv,
}


def _standing_rows(cup: Cup) -> Iterator[Row]:
    for standing in group_standings(cup):
        for row in standing.rows:
            yield [
                standing.group.name,
                row.rank,
                row.team.name,
                row.played,
                row.won,
                row.lost,
                row.sets_won,
                row.sets_lost,
                _("kyllä") if row.goes_on else "",
            ]
        for team in standing.withdrawn:
            yield [standing.group.name, "", team.name, *[""] * 5, _("vetäytynyt")]


def _game_rows(cup: Cup) -> Iterator[Row]:
    pictures = picture_of(cup).games
    for game in games_of(cup):
        picture = pictures[game.number]
        yield [
            game.number,
            game.group.name if game.group else "",
            game.playing_table.number if game.playing_table else "",
            picture.names.a,
            picture.names.b,
            picture.sets.a,
            picture.sets.b,
            picture.winner_name,
            game_words(picture),
            game.deal_count,
        ]


def _deal_rows(cup: Cup) -> Iterator[Row]:
    for game in games_of(cup).filter(deal_count__gt=0):
        game.cup = cup
        for deal in course_of(game).deals:
            yield _deal_row(game, deal)


def _deal_row(game: Game, deal: PlayedDeal) -> Row:
    sheet, result, names = deal.sheet, deal.result, names_of(game)

    def team(side: Side | None) -> str:
        return names[side] if side else ""

    figures = (sheet.mattis, sheet.pips, sheet.aces, sheet.card_points)
    return [
        game.number,
        deal.position,
        result.set_number,
        _("kyllä") if result.laistokierros else "",
        team(sheet.trump),
        *_pair(sheet.small_trumps),
        team(sheet.last_trick),
        *(value for pair in figures for value in _pair(pair)),
        team(sheet.no_tricks),
        ", ".join(
            _("%(team)s (korjattu heti)") % {"team": names[foul.side]}
            if foul.corrected
            else names[foul.side]
            for foul in sheet.fouls
        ),
        _("kyllä") if sheet.abandoned else "",
        sheet.club_ace or "",
        *_pair(result.points),
        *_pair(result.score),
        f"{localtime(deal.entry.entered_at):%Y-%m-%d %H:%M:%S}",
        str(deal.entry.entered_by or ""),
        deal.entry.version,
    ]


def _pair(pair: Pair[int] | None) -> tuple[object, object]:
    return (pair.a, pair.b) if pair else ("", "")


def _text(header: Sequence[str], rows: Iterable[Row]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return "\N{BYTE ORDER MARK}" + out.getvalue()


def _safe(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    # A spreadsheet also sees a formula behind blanks.
    return f"'{cell}" if cell.lstrip(" \u00a0").startswith(_FORMULA) else cell
