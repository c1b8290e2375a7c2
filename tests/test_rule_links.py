from __future__ import annotations

import pytest
from django.template import Context, Template
from django.utils.safestring import SafeString

from komppa.rule_links import linked, rule_link
from tests.factories import CupFactory


@pytest.fixture
def cup():
    return CupFactory.build(slug="x")


def a(number: str, more: str = "") -> str:
    return f'<a class="rule"{more} href="/x/rules/#{number}">{number}</a>'


ASIDE = ' target="_blank" rel="noopener"'
NAMED = ' id="deal-4-R5.2"'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Putoaa seitsemään (R5.2).", f"Putoaa seitsemään ({a('R5.2')})."),
        ("Tasan (R9.1–R9.4).", f"Tasan ({a('R9.1')}–{a('R9.4')})."),
        ("Katso R6.", f"Katso {a('R6')}."),
        ("R9.11", a("R9.11")),
        ("R9.12 R0 R11.1 R5.02 VR5.2 R5.2a", "R9.12 R0 R11.1 R5.02 VR5.2 R5.2a"),
        ("", ""),
    ],
    ids=["cited", "range", "chapter", "alone", "no rules", "nothing"],
)
def test_the_rules_that_a_sentence_cites_are_linked(cup, text, html):
    assert linked(text, cup) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b>R5.2</b>", f"&lt;b&gt;{a('R5.2')}&lt;/b&gt;"),
        ("\"&'<R5.2>", f"&quot;&amp;&#x27;&lt;{a('R5.2')}&gt;"),
        ("<script>alert('R5.2')</script>", None),
    ],
)
def test_what_a_sentence_holds_is_escaped(cup, text, html):
    made = linked(text, cup)

    assert html is None or made == html
    assert "<script" not in made
    assert made.count("<") == made.count(">") == 2


def test_what_is_escaped_already_stays_so_and_its_tags_whole(cup):
    safe = SafeString('<span title="R5.2" class="a">&amp; R5.2</span>')

    assert linked(safe, cup) == (
        f'<span title="R5.2" class="a">&amp; {a("R5.2")}</span>'
    )


def test_a_rule_opens_beside_what_is_being_typed(cup):
    assert linked("(R5.2)", cup, is_new_tab=True) == f"({a('R5.2', ASIDE)})"


@pytest.mark.parametrize("number", [None, "", "R9.12", "required", "<b>"])
def test_what_is_no_rule_gives_no_link(cup, number):
    assert rule_link(number, cup) == ""


def test_templates_link_rules(cup):
    template = Template(
        '{% load rules %}{% rule_link "R5.2" cup %} {{ text|linked:cup }} '
        '{% rule_link "R5.2" cup "deal" 4 %} {% rule_link_aside "R5.2" cup %} '
        "{{ text|linked_aside:cup }}"
    )

    html = template.render(Context({"cup": cup, "text": "<R6>"}))

    assert html == (
        f"{a('R5.2')} &lt;{a('R6')}&gt; "
        f"{a('R5.2', NAMED)} "
        f"{a('R5.2', ASIDE)} &lt;{a('R6', ASIDE)}&gt;"
    )
