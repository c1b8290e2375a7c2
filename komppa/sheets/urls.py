"""The table's own pages: every address names the cup and the game's number."""

from django.urls import path

from komppa.sheets import views

app_name = "sheets"
urlpatterns = [
    path("", views.index, name="index"),
    path("<slug:slug>/", views.cup, name="cup"),
    path("<slug:slug>/games/<int:number>/", views.sheet, name="sheet"),
    path("<slug:slug>/games/<int:number>/preview/", views.preview, name="preview"),
    path("<slug:slug>/games/<int:number>/back/", views.take_back, name="take_back"),
    path("<slug:slug>/games/<int:number>/seats/", views.seats, name="seats"),
]
