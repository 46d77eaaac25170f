"""What the rules need to know of a language. One module of this package holds it for each language."""

from __future__ import annotations

from perdure.domain.record import record


@record
class Language:
    """The words of a language by what they do in a statement.

    Fields that are lists hold words between blanks; a word that ends in ``*`` stands for all that begin with it. Fields
    that are expressions hold alternatives of a regular expression over lower case. ``replacements`` are expressions with
    the places ``OLD`` and ``NEW``.
    """

    name: str
    common: str
    """A list: function words by which a text of this language is recognised."""
    copulas: str
    """A list: forms of *to be*."""
    verbs: str
    """A list: verbs that tell how things are; the first of them in a statement parts subject and object."""
    plain: str
    """A list: verbs that say nothing of what a statement is about."""
    lasting: str
    """A list: verbs that take one object at a time, such as *live* or *cost*."""
    likes: str
    """A list: verbs of liking."""
    dislikes: str
    """A list: verbs of disliking."""
    articles: str
    """A list: articles and possessives."""
    adverbs: str
    """A list: adverbs that do not change what is said."""
    vague: str
    """A list: subjects that name nothing by themselves."""
    frames: str
    """A list: prepositions that belong to a relation and not to its value."""
    unique: str
    """An expression: what may stand between *is* and a value of which there is one at a time."""
    openings: str
    """An expression: what comes before the statement proper."""
    reasons: str
    """An expression: words that begin a clause that only explains."""
    negation: str
    """An expression."""
    change: str
    """An expression: words that say that something is new."""
    addition: str
    """An expression: words that say that something holds besides."""
    condition: str
    """An expression: words that say when or where something holds."""
    doubt: str
    """An expression: words that say that something may hold."""
    report: str
    """An expression: words that give what somebody else says."""
    past: str
    """An expression: words that say that something held."""
    weekdays: str
    """An expression."""
    spans: str
    """An expression: units of time."""
    sizes: str
    """An expression: units of size."""
    switches: str
    """A list: values of which one excludes the other, such as *on* and *off*."""
    replacements: tuple[str, ...]
    blanks: bool = True
    """Whether the language puts blanks between its words."""
