from django.urls import path

from komppa.live import views, views_rules
from komppa.live.views_referee import referee

app_name = "live"
urlpatterns = [
    path("", views.front, name="front"),
    path("<slug:slug>/", views.cup, name="cup"),
    path("<slug:slug>/groups/", views.groups, name="groups"),
    path("<slug:slug>/games/", views.games, name="games"),
    path("<slug:slug>/games/<int:number>/", views.game, name="game"),
    path("<slug:slug>/draw/", views.draw, name="draw"),
    path("<slug:slug>/bracket/", views.bracket, name="bracket"),
    path("<slug:slug>/rules/", views_rules.rules, name="rules"),
    path("<slug:slug>/rules/referee/", referee, name="referee"),
]
