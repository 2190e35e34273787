"""Authored Markdown to safe HTML: formulas become MathML, code gets classes, figures come from templates.

Authors write `$a$` and `$$a$$` for formulas. A fence named `diagram NAME` or `demonstration NAME` includes the template
`figures/NAME.html` with the fence's content as its caption, and one named `practice` marks where a lesson lists its
quiz and exercises. Words after the language of a program fold it away under them. A link to `#exercise-SLUG` leads to
an exercise of the lesson. Raw HTML is shown as text.
"""

from __future__ import annotations

import secrets
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import nh3
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from math_core import LatexError, LatexToMathML
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

PRACTICE = "<!--practice-->"
FIGURES = ("diagram", "demonstration")

# The strict content-security policy forbids style attributes, with which math-core aligns the columns of `aligned`.
ALIGNMENTS = {
    'style="text-align: right;justify-items: end;padding-right: 0;"': 'class="to-right"',
    'style="text-align: left;justify-items: start;padding-left: 0;"': 'class="to-left"',
}
MATHML = (
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup mover munder munderover mtable mtr mtd "
    "mpadded mphantom mstyle mmultiscripts mprescripts merror semantics"
)
MATHML_ATTRIBUTES = (
    "display displaystyle scriptlevel stretchy fence separator form lspace rspace minsize maxsize symmetric largeop "
    "movablelimits accent accentunder linethickness mathvariant width height depth voffset columnspan rowspan class"
)
TAGS = {*nh3.ALLOWED_TAGS, *MATHML.split()}
ATTRIBUTES = {tag: set(MATHML_ATTRIBUTES.split()) for tag in MATHML.split()} | {
    "a": {"href", "title"},
    "h2": {"id"},
    "h3": {"id"},
    "div": {"class", "tabindex", "role", "aria-label"},
    "pre": {"class", "tabindex"},
    "code": {"class"},
    "span": {"class"},
    "img": {"src", "alt", "title"},
    "ol": {"start"},
    "th": {"class", "scope"},
    "td": {"class"},
}


@dataclass(frozen=True, slots=True)
class Document:
    """`html` is safe. `sections` are (id, heading) pairs; the counts are of what the text contains."""

    html: SafeString
    sections: tuple[tuple[str, str], ...]
    diagrams: int
    demonstrations: int
    programs: int
    problems: tuple[str, ...]

    @property
    def before_practice(self) -> SafeString:
        return mark_safe(self.html.partition(PRACTICE)[0])  # noqa: S308 - a part of safe HTML, cut between two blocks

    @property
    def after_practice(self) -> SafeString:
        return mark_safe(self.html.partition(PRACTICE)[2])  # noqa: S308


@lru_cache(maxsize=512)
def render(source: str) -> Document:
    """Render once per process for each text. What an author got wrong is shown in place and listed in `problems`."""
    run = _Run()
    env: MutableMapping[str, Any] = {"run": run}
    parser = _parser()
    tokens = parser.parse(source, env)
    sections = _name_headings(tokens)
    html = nh3.clean(parser.renderer.render(tokens, parser.options, env), tags=TAGS, attributes=ATTRIBUTES)
    for slot, trusted in run.slots.items():
        html = html.replace(f"<p>{slot}</p>", trusted)
    return Document(
        html=mark_safe(html),  # noqa: S308 - sanitised one line up, then only our own templates put in
        sections=sections,
        diagrams=run.counts["diagram"],
        demonstrations=run.counts["demonstration"],
        programs=run.counts["program"],
        problems=tuple(run.problems),
    )


class _Run:
    """What one rendering gathers: trusted pieces to put in after sanitising, counts, and the author's slips."""

    def __init__(self) -> None:
        self.slots: dict[str, str] = {}
        self.counts = {"diagram": 0, "demonstration": 0, "program": 0}
        self.problems: list[str] = []

    def slot(self, trusted: str) -> str:
        name = f"slot-{secrets.token_hex(12)}"
        self.slots[name] = trusted
        return f"<p>{name}</p>\n"

    def problem(self, sentence: str) -> str:
        self.problems.append(sentence)
        return f'<span class="author-problem">{escape(sentence)}</span>'


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": True}).enable(
        ["table", "smartquotes", "replacements"]
    )
    parser.use(dollarmath_plugin, allow_space=False, double_inline=True)
    parser.add_render_rule("math_inline", _inline_formula)
    parser.add_render_rule("math_inline_double", _inline_display_formula)
    parser.add_render_rule("math_block", _display_formula)
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule(
        "table_open", lambda *_: '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table>'
    )
    parser.add_render_rule("table_close", lambda *_: "</table></div>")
    parser.add_render_rule(
        "th_open", lambda _, tokens, place, *__: '<th scope="col">' if tokens[place + 1].content else "<td>"
    )
    parser.add_render_rule("th_close", lambda _, tokens, place, *__: "</th>" if tokens[place - 1].content else "</td>")
    return parser


def _name_headings(tokens: Sequence[Token]) -> tuple[tuple[str, str], ...]:
    """Give each heading an id of its own; return those of the second level, which make the table of contents."""
    named: dict[str, str] = {}
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag in ("h2", "h3"):
            text = tokens[place + 1].content
            name = slugify(text) or "section"
            name = f"{name}-{place}" if name in named else name
            named[name] = text if token.tag == "h2" else ""
            token.attrSet("id", name)
    return tuple((name, text) for name, text in named.items() if text)


def _fence(self: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: MutableMapping[str, Any]) -> str:
    token, run = tokens[place], env["run"]
    kind, _, name = token.info.strip().partition(" ")
    if kind == "practice":
        return str(run.slot(PRACTICE))
    if kind in FIGURES:
        return _figure(run, kind, name.strip(), token.content.strip())
    run.counts["program"] += kind not in ("", "text")
    shown = program(token.content, kind)
    return f"<details><summary>{escape(name.strip())}</summary>{shown}</details>\n" if name.strip() else shown


def _figure(run: _Run, kind: str, name: str, caption: str) -> str:
    run.counts[kind] += 1
    if slugify(name) != name:
        return run.problem(f"A {kind} is named by small letters and hyphens, not “{name}”.")
    try:
        return run.slot(render_to_string(f"figures/{name}.html", {"caption": caption}))
    except TemplateDoesNotExist:
        return run.problem(f"There is no {kind} called “{name}”.")


def program(source: str, language: str) -> SafeString:
    """Highlighted code as safe HTML; an unknown language is shown plain."""
    return mark_safe(f'<pre class="program" tabindex="0"><code>{_coloured(source, language)}</code></pre>\n')  # noqa: S308


def numbered_program(source: str) -> SafeString:
    """Python with one `<span class="line">` for each line, which the style sheet counts."""
    # Pygments closes every span at the end of its line, so lines can be wrapped.
    lines = "".join(f'<span class="line">{line}</span>\n' for line in _coloured(source, "python").split("\n"))
    return mark_safe(f'<pre class="program numbered" tabindex="0"><code>{lines}</code></pre>\n')  # noqa: S308


def _coloured(source: str, language: str) -> str:
    """Both branches escape."""
    try:
        return str(highlight(source, get_lexer_by_name(language, stripnl=False), HtmlFormatter(nowrap=True))).rstrip(
            "\n"
        )
    except ClassNotFound:
        return escape(source)


def _inline_formula(self: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    return _formula(env["run"], tokens[place].content, displayed=False)


def _inline_display_formula(self: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    return _formula(env["run"], tokens[place].content, displayed=True)


def _display_formula(self: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    formula = _formula(env["run"], tokens[place].content, displayed=True)
    return f'<div class="formula" tabindex="0" role="group" aria-label="Formula">{formula}</div>\n'


def _formula(run: _Run, latex: str, *, displayed: bool) -> str:
    try:
        mathml = LatexToMathML(fancy_error=False).convert_with_local_state(latex.strip(), displaystyle=displayed)
    except LatexError as error:
        return run.problem(f"The formula “{latex.strip()}” cannot be read: {error}")
    for style, alignment in ALIGNMENTS.items():
        mathml = mathml.replace(style, alignment)
    return mathml
