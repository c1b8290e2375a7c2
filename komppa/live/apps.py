from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "komppa.live"

    def ready(self) -> None:
        # Models are not there yet when this module is read.
        from komppa.live import contexts
        from komppa.parts import register

        register("front", "live/_front.html", contexts.front)
        register("cup", "live/_cup.html", contexts.cup)
        register("groups", "live/_groups.html", contexts.groups)
        register("games", "live/_games.html", contexts.games)
        register("game", "live/_game.html", contexts.game)
        register("bracket", "live/_bracket.html", contexts.bracket)
