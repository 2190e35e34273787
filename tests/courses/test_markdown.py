from __future__ import annotations

from html.parser import HTMLParser

import pytest

from courses.markdown import numbered_program, render

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "![x](data:text/html,<script>alert(1)</script>)",
    r"$\text{<svg/onload=alert(1)>}$",
    r"$\text{</math><script>alert(1)</script>}$",
    '```"><script>alert(1)</script>\nx\n```',
    "```diagram ../../etc/passwd\n```",
    "```diagram encoder-decoder\n<script>alert(1)</script>\n```",
    '<a href="x" style="position:fixed">y</a>',
    "<!--practice-->",
]


class Elements(HTMLParser):
    """What a browser would see."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


@pytest.mark.parametrize("source", HOSTILE)
def test_authors_cannot_write_html(source: str) -> None:
    seen = Elements(render(source).html)
    assert not seen.tags & {"script", "iframe", "object", "style", "form"}
    assert not [name for name, _ in seen.attributes if name.startswith("on") or name == "style"]
    assert not [value for name, value in seen.attributes if name in ("href", "src") and ":" in value]
    assert seen.comments == []


@pytest.mark.parametrize("source", HOSTILE[:2])
def test_html_is_shown_as_text(source: str) -> None:
    assert "&lt;" in render(source).html


def test_formulas_become_mathml() -> None:
    html = render(r"Inline $d_k$ and $$\begin{aligned} a &= \sqrt{b} \\ c &= 1 \end{aligned}$$").html
    assert "<msub><mi>d</mi><mi>k</mi></msub>" in html
    assert '<math display="block">' in html
    assert 'class="to-right"' in html
    assert " style=" not in html


def test_a_formula_that_cannot_be_read_is_shown_and_reported() -> None:
    document = render(r"$\nonsense$")
    assert len(document.problems) == 1
    assert r"\nonsense" in document.html


def test_a_figure_that_does_not_exist_is_reported() -> None:
    assert render("```diagram nothing-like-it\n```").problems == ("There is no diagram called “nothing-like-it”.",)


def test_figures_are_counted_and_captioned() -> None:
    document = render("```diagram one-bag\nTwo <b>sentences</b>.\n```\n\n```demonstration sinusoidal\nLook.\n```")
    assert (document.diagrams, document.demonstrations, document.programs) == (1, 1, 0)
    assert "Two &lt;b&gt;sentences&lt;/b&gt;." in document.html
    assert document.problems == ()


def test_headings_make_the_contents_and_are_unique() -> None:
    document = render("## One & two\n\n### Inner\n\n## One & two\n")
    assert [text for _, text in document.sections] == ["One & two", "One & two"]
    ids = [name for name, _ in document.sections]
    assert ids[0] == "one-two"
    assert len(set(ids)) == 2
    assert all(f'id="{name}"' in document.html for name in ids)


def test_practice_splits_the_text() -> None:
    document = render("Before.\n\n```practice\n```\n\nAfter.")
    assert "Before" in document.before_practice
    assert "After" not in document.before_practice
    assert "After" in document.after_practice


def test_code_is_highlighted_by_classes() -> None:
    document = render("```python\ndef f():\n    return 1\n```")
    assert '<span class="k">def</span>' in document.html
    assert document.programs == 1


def test_words_after_the_language_fold_a_program_away() -> None:
    html = render("```python Try <b>first</b>\nx = 1\n```").html
    assert html.startswith("<details><summary>Try &lt;b&gt;first&lt;/b&gt;</summary><pre")
    assert html.strip().endswith("</pre>\n</details>")
    assert render("```python\nx = 1\n```").html.startswith("<pre")


def test_an_unknown_language_is_shown_plain() -> None:
    assert "&lt;b&gt;" in render("```klingon\n<b>\n```").html


def test_every_line_of_a_program_is_numbered_even_inside_a_string() -> None:
    html = numbered_program('"""\n<b>\n"""\nx = 1')
    assert html.count('<span class="line">') == 4
    assert "&lt;b&gt;" in html


def test_a_heading_without_text_is_no_heading() -> None:
    html = render("| | a |\n|---|---|\n| b | c |").html
    assert html.count("<th ") == html.count("</th>") == 1
    assert html.count("<td>") == html.count("</td>") == 3
