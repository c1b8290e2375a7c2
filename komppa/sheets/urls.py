"""The table's own pages: every address names the cup and the game's number."""

from django.urls import path

from komppa.sheets import (
    views,
    views_corrections,
    views_paper,
    views_records,
    views_rules,
)

app_name = "sheets"
urlpatterns = [
    path("", views.index, name="index"),
    path("<slug:slug>/", views.cup, name="cup"),
    path("<slug:slug>/paper/", views_paper.open_games, name="paper"),
    path("<slug:slug>/paper/empty/", views_paper.empty, name="paper_empty"),
    path("<slug:slug>/rules/", views_rules.rules, name="rules"),
    path("<slug:slug>/games/<int:number>/", views.sheet, name="sheet"),
    path(
        "<slug:slug>/games/<int:number>/paper/", views_paper.one_game, name="paper_game"
    ),
    path("<slug:slug>/games/<int:number>/preview/", views.preview, name="preview"),
    path("<slug:slug>/games/<int:number>/back/", views.take_back, name="take_back"),
    path("<slug:slug>/games/<int:number>/confirm/", views.confirm, name="confirm"),
    path("<slug:slug>/games/<int:number>/seats/", views.seats, name="seats"),
    path(
        "<slug:slug>/games/<int:number>/corrections/",
        views_corrections.corrections,
        name="corrections",
    ),
    path(
        "<slug:slug>/games/<int:number>/corrections/preview/",
        views_corrections.preview,
        name="correction_preview",
    ),
    path(
        "<slug:slug>/games/<int:number>/records/",
        views_records.records,
        name="records",
    ),
    path(
        "<slug:slug>/games/<int:number>/records/deal/<int:deal>/",
        views_records.attach,
        name="attach_record",
    ),
    path(
        "<slug:slug>/games/<int:number>/records/<int:record>/back/",
        views_records.take_back,
        name="take_back_record",
    ),
]
