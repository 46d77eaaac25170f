"""Statements that a user's own words make, found by rules and without a model.

A sentence counts when it says by a fixed phrase that it is meant to last: a decision, a standing rule, a preference,
a correction, something to be reminded of. Questions never count, nor do quotations, code and pasted logs. The phrases
are few and strict on purpose: a memory that fills with chatter is worth less than one that misses a hint.
"""

from __future__ import annotations

import re
from functools import lru_cache

from perdure.domain.memory import Kind, Type
from perdure.domain.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_STATEMENTS = 6
MIN_WORDS = 3
MAX_SENTENCE = 600
MIN_LETTERS = 6

# Each phrase stands for one sort of statement. ``^`` is the start of a sentence or of a clause after a comma.
_CLAUSE = r"(?:^|[,;:–—]\s*|\b(?:and|so|please|und|bitte|y|e|et|и)\s+)"

_PREFERENCE = (
    (
        r"\bI (?:really |strongly |always |much )?(?:prefer|like|love|hate|dislike|favou?r) "
        r"(?!(?:it|this|that|these|those|you|them|him|her|how|when)\b)\w"
    ),
    r"\b(?:my name is|call me|my preference is|my preferred)\b",
    r"\bI (?:want|need|'d like|would like) you to (?:always|never) \w",
    r"\bich (?:bevorzuge|mag|hasse|möchte immer|will immer)\b|\b(?:mir ist|mir sind) .* lieber\b|\bmein Name ist\b",
    r"\b(?:eu )?prefiro\b|\b(?:yo )?prefiero\b|\bme llamo\b|\bmeu nome é\b|\bje préfère\b|\bje m'appelle\b",
    r"\b(?:я )?предпочитаю\b|\bмне (?:больше )?нравится\b|\bменя зовут\b|\bя (?:люблю|ненавижу)\b",
    r"我(?:更)?(?:喜欢|喜歡|偏好|讨厌|習慣|习惯)|我叫|(?:私|僕)は.*(?:好き|好み|嫌い)|の(?:ほう|方)が好き|と呼んで",
)
_RULE = (
    _CLAUSE + r"(?:always|never)\s+(?!mind\b|ever\b)\w+",
    r"\b(?:we|you|everyone|nobody) (?:should|must|shall|may) (?:always|never|not)\b|\b(?:must|may) never\b",
    r"\b(?:from now on|from today on|going forward|henceforth|as a rule)\b",
    r"^(?:rule|convention|policy|standard)\s*:",
    r"\b(?:ab (?:jetzt|sofort|heute)|künftig|in Zukunft|von nun an)\b|" + _CLAUSE + r"(?:immer|nie|niemals)\s+\w+",
    r"\b(?:a partir de (?:agora|ahora|hoje|hoy)|daqui (?:em|para) (?:diante|frente)|de ahora en adelante)\b",
    _CLAUSE + r"(?:sempre|siempre|nunca|toujours|jamais|ne \w+ jamais)\s+\w+",
    r"\b(?:désormais|dorénavant|à partir de maintenant)\b",
    r"\b(?:отныне|с этого момента|впредь|с сегодняшнего дня)\b|" + _CLAUSE + r"(?:всегда|никогда)\s+\w+",
    r"从现在(?:起|开始)|今后|以后(?:都|要|请|不)|一律|永远不(?:要|能)|绝不|禁止|必须",
    r"今後|これから(?:は)|必ず|絶対に|決して|常に.*(?:する|して|こと)|禁止",
)
_DECISION = (
    r"\b(?:we|I)(?:'ve| have)? (?:decided|agreed|settled|chose|chosen|standardi[sz]ed)\b",
    r"\bwe(?:'re| are) going with\b",
    r"^(?:the )?decision\b\s*(?::|is)|\bit (?:was|is) decided\b",
    r"\blet's (?:go with|settle on|standardi[sz]e on) (?!option|plan|number|it\b|that\b|the (?:first|second|other))",
    r"\bwe(?:'ve| have)? (?:switched|migrated|moved)\b.{0,80}\b(?:to|from)\b|\bwe (?:use|now use|no longer use)\b",
    r"^(?:please )?(?:(?:remember|keep in mind|don't forget|bear in mind)\b\s*(?::|that|,|—|-)|note\s*:)",
    r"\b(?:wir|ich) (?:haben|habe)\b.{0,120}\b(?:entschieden|beschlossen|geeinigt|festgelegt)\b|\bbeschlossen\s*:",
    r"^(?:bitte )?(?:merk dir|merke dir|denk dran|nicht vergessen|beachte)\b|^Entscheidung\s*:",
    r"\bwir (?:sind|wechseln|haben)\b.{0,60}\b(?:auf|zu)\b.{1,60}\b(?:umgestiegen|gewechselt|umgestellt)\b",
    r"\b(?:decidimos|hemos decidido|resolvemos|acordamos|ficou decidido|combinamos)\b",
    r"^(?:decisão|decisión|décision)\s*:",
    r"^(?:lembre(?:-se)?|lembra|recuerda|recuerde|retiens|rappelle-toi|souviens-toi|note bien)\b",
    r"\b(?:nous avons|on a) (?:décidé|choisi|convenu)\b",
    r"\b(?:мы )?(?:решили|договорились|перешли на)\b|^(?:запомни|решение)\b",
    r"(?:我们|我們)?(?:决定|決定|约定|商定|改用|改成)|(?:请|請)?(?:记住|記住)|別忘了|别忘了",
    r"(?:こと|ように)(?:に)?(?:決め|決まり|しました|する|します)|決定(?:しました|です|事項)",
    r"覚えて(?:おいて|ください)|に(?:切り替え|変更|移行)(?:した|しました|ます)",
)
_REASONED = (
    r"\b(?:is|are|must|has to|have to|we|stays?|moved|raised|lowered|only|no)\b.{3,240}[,;–—-] because\b",
    r"\b(?:ist|sind|muss|müssen|wir|bleibt)\b.{3,240}, weil\b",
)
_CORRECTION = (
    r"^(?:correction|to correct (?:myself|that|you))\b\W+\w",
    (
        r"^(?:no|nope|wrong|actually|not quite)\s*[,:;.–—-]\s*"
        r"(?!(?:that|this|it)\b).*\b(?:is|are|was|were|uses?|answers?|means|needs?|must|lives?|runs?|returns?)\b"
    ),
    r"\bis (?:now|actually) \S+.{0,60}\b(?:not|instead of|rather than)\b|\bnot \S+.{0,30}\bany ?more\b",
    r"\buse \S+.{0,60}\b(?:not|instead of|rather than)\b \S+|\bI used to\b.{0,120}\bnow\b",
    r"^(?:korrektur|nein|doch|falsch|eigentlich)\b\s*[,:;–—-]",
    r"^(?:correção|corrección|correction|na verdade|en realidad)\b\s*[,:;–—-]",
    r"^(?:нет|поправка|исправление|на самом деле)\b\s*[,:;–—-]",
    r"^(?:更正|纠正|不对|不是)[,,::。]|^(?:訂正|いや|違います)[、,::。]",
)
_AHEAD = (
    r"\bremind me\b|\b(?:expires?|is due|due|deadline is|ends|runs out|valid) (?:on|by|until|till)\b",
    r"\berinner(?:e)? mich\b|\bläuft .* ab\b|\bme lembre\b|\brecuérdame\b|\brappelle-moi\b|\bнапомни\b",
    r"提醒我|リマインド|期限",
)

_RULES: tuple[tuple[tuple[str, ...], Kind, Type], ...] = (
    (_AHEAD, Kind.FORESIGHT, Type.PROSPECTIVE),
    (_PREFERENCE, Kind.FACT, Type.PREFERENCE),
    (_RULE, Kind.FACT, Type.PROCEDURAL),
    (_DECISION, Kind.FACT, Type.SEMANTIC),
    (_CORRECTION, Kind.FACT, Type.SEMANTIC),
    (_REASONED, Kind.FACT, Type.SEMANTIC),
)

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_RESTATED = re.compile(r"^.{0,80}\b(?:CLAUDE|AGENTS|GEMINI|MEMORY|README)\.md\b.{0,80}$", re.MULTILINE)
_QUOTED = re.compile(r"^(?: {4}|\t)|^\s*(?:>|\||\$ |#!|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|at \w|[+-]{3} |[{}\[\]<])")
_BREAK = re.compile(r"(?<=[.!?…])\s+(?=[^\s\d])|(?<=[。！？])|\n+")
_QUESTION = re.compile(r"[?？]\s*$|か[。]?\s*$|吗[？?。]?\s*$|どう(?:する|しよう)")
_LOGGED = re.compile(r"^\s*\w+ (?:ERR|WARN)!.*$", re.MULTILINE)
_TAGGED = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^<>]*)?>.*?</\1\s*>", re.DOTALL)
# From here on the words are not the user's own: a paste, a summary of the host, instructions read out.
_ANOTHER_S = re.compile(
    r"\[Pasted text|This session is being continued from a previous conversation|instructions are shown below",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"^\W*(?:the |your |an? )?(?:agent|assistant|model|bot|page|docs?|readme|log|output|he|she|they|it|npm)\b.{0,20}"
    r"\b(?:said|says|say|wrote|told|reads?|err)\b|^(?:here is|this is) (?:the|a) (?:page|log|output|file)",
    re.IGNORECASE,
)
_EVERYWHERE = re.compile(
    r"\b(?:every|all|any|each)(?: of)?(?: my)? (?:projects?|repos?|repositor(?:y|ies))|\beverywhere\b"
    r"|\ballen? Projekten?\b|\btodos (?:os|los) (?:projetos|proyectos)\b|\btous (?:les|mes) projets\b"
    r"|\bвсех проектах\b|所有项目|すべてのプロジェクト",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


@record
class Said:
    """A statement that was found: ``until`` is the day it looks ahead to (``YYYY-MM-DD``), or empty."""

    text: str
    kind: Kind
    type: Type
    until: str = ""

    @property
    def everywhere(self) -> bool:
        """Whether it says itself that it holds in every project."""
        return _EVERYWHERE.search(self.text) is not None


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[re.Pattern[str], Kind, Type], ...]:
    return tuple((re.compile("|".join(phrases), re.IGNORECASE), kind, sort) for phrases, kind, sort in _RULES)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a prompt that are the user's own prose: no code, quotations, logs or restated instructions."""
    prose = _LOGGED.sub("", _TAGGED.sub("\n", _CODE.sub("\n", text)))
    for foreign in (_RESTATED.search(prose), _ANOTHER_S.search(prose)):
        if foreign:
            prose = prose[: foreign.start()]
    for piece in _BREAK.split(prose):
        if _QUOTED.match(piece):
            continue
        sentence = _BULLET.sub("", piece).strip()
        if sum(map(str.isalpha, sentence)) >= MIN_LETTERS and len(sentence) <= MAX_SENTENCE:
            yield sentence


def find(text: str) -> list[Said]:
    """The lasting statements of a user's prompt, at most ``MAX_STATEMENTS``, in order."""
    found: list[Said] = []
    for sentence in sentences(text):
        said = _classify(sentence)
        if said is not None and said.text not in {known.text for known in found}:
            found.append(said)
    return found[:MAX_STATEMENTS]


def _classify(sentence: str) -> Said | None:
    if _QUESTION.search(sentence) or _REPORTED.search(sentence):
        return None
    if sentence.isascii() and len(sentence.split()) < MIN_WORDS:
        return None
    for pattern, kind, sort in _compiled():
        if pattern.search(sentence):
            if kind is not Kind.FORESIGHT:
                return Said(sentence, kind, sort)
            date = _DATE.search(sentence)
            if date:
                return Said(sentence, kind, sort, date[1])
    return None
