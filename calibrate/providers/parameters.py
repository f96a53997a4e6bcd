"""Which form of a request a model takes, learned from what it refuses.

Models behind one API differ: one takes no temperature, another counts tokens under another name, a third knows no JSON
schemas. No list of models is kept. The preferred form is sent first; a refusal that names it leads to the next form,
for this model and from then on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Form", "Parameters"]


@dataclass(frozen=True, slots=True)
class Form:
    """One way to say an option.

    Attributes:
        name: what ``dropped`` calls it.
        words: a refusal that has one of them speaks of this form.
        unless: words of a refusal that is about the value and not about the form.
    """

    name: str
    words: tuple[str, ...]
    unless: tuple[str, ...] = ()

    def is_refused_in(self, refusal: str) -> bool:
        """Whether the refusal is of this form, by whole words in any case."""
        return _has_word(refusal, self.words) and not _has_word(refusal, self.unless)


class Parameters:
    """The form of each option that one model takes.

    Args:
        options: for each option its forms, the preferred one first; None at the end leaves the option out.
    """

    def __init__(self, options: Mapping[str, tuple[Form | None, ...]]) -> None:
        self._options = options
        self._position = dict.fromkeys(options, 0)

    @property
    def forms(self) -> dict[str, Form | None]:
        """The form of each option to send now; None leaves it out."""
        return {name: forms[self._position[name]] for name, forms in self._options.items()}

    @property
    def dropped(self) -> tuple[str, ...]:
        """What the model does not take, and what it gets instead."""
        changed = [(self._options[name][0], form) for name, form in self.forms.items() if self._position[name]]
        return tuple(f"{first.name} ({form.name} instead)" if form else first.name for first, form in changed if first)

    def learn(self, refusal: str, sent: Mapping[str, str]) -> bool:
        """Take note of a refusal of ``sent``, and say whether another form is worth sending.

        Args:
            refusal: the provider's words.
            sent: the name of the form in which each option of the request was said; options that were left out are not
                in it. Other requests may have learned meanwhile.
        """
        for name, said in sent.items():
            forms = self._options[name]
            position = next(at for at, form in enumerate(forms) if form is not None and form.name == said)
            form = forms[position]
            if form is None or not form.is_refused_in(refusal):
                continue
            if position + 1 == len(forms):
                return False
            self._position[name] = max(self._position[name], position + 1)
            return True
        return False


def _has_word(text: str, words: tuple[str, ...]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) for word in words)
