"""Words in both languages: what is the same in Chinese and English is written once."""

from __future__ import annotations

from dataclasses import dataclass

LANGUAGES = ("zh", "en")
DEFAULT_LANGUAGE = "zh"


@dataclass(frozen=True, slots=True)
class Text:
    """One piece of text. `Text.shared("x")` reads the same in both languages."""

    zh: str
    en: str

    @classmethod
    def shared(cls, words: str) -> Text:
        return cls(words, words)

    def in_(self, lang: str) -> str:
        return self.en if lang == "en" else self.zh

    def each(self) -> dict[str, str]:
        """Language -> words; one entry where both are the same."""
        if self.zh == self.en:
            return {"": self.zh}
        return {"zh": self.zh, "en": self.en}


NOTHING = Text.shared("")
