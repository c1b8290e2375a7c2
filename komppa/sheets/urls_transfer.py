"""A cup as a file: out for an organiser, and in."""

from django.urls import path

from komppa.sheets import views_transfer

app_name = "transfer"
urlpatterns = [
    path("", views_transfer.import_page, name="import"),
    path("<slug:slug>/", views_transfer.export_page, name="export"),
    path("<slug:slug>/cup.json", views_transfer.export_json, name="json"),
    path("<slug:slug>/<slug:name>.csv", views_transfer.export_csv, name="csv"),
]
