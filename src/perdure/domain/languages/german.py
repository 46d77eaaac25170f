"""German."""

from __future__ import annotations

from perdure.domain.languages.language import Language

_MOVED = r"(?:umgestellt|umgestiegen|gewechselt|migriert|umbenannt|erhöht|gesenkt|geändert|umgezogen|verschoben|verlegt|wechseln)"

GERMAN = Language(
    name="de",
    common="""der die das den dem des ein eine und ist sind wir ihr ich mein unser nicht für mit auf im am von zu bei wird
        werden haben hat auch nur aus nach über jetzt immer nie""",
    copulas="ist sind war waren bin seid",
    verbs="""verwende* nutz* benutz* benötig* brauch* läuft laufen lauf* wohn* leb* arbeit* spiel* sprech* spricht bevorzug*
        mag mögen lieb* hass* trink* ess* isst fähr* heiß* heiss* kost* beginn* endet enden dauer* lieg* liegt steht stehen hat
        haben habe muss müssen soll* darf deploy* lausch* hör* erwarte* unterstütz* gehör* leit* betreu*""",
    plain="verwenden verwende nutzen nutze benutzen benutze ist sind machen setzen laufen läuft heißt bitte merken",
    lasting="wohnt wohne lebt läuft laufen lauscht kostet beginnt endet dauert heißt heiße liegt",
    likes="mag liebe lieben bevorzuge mögen",
    dislikes="hasse hassen verabscheue",
    articles="der die das den dem des ein eine einen einem einer unser unsere unseren mein meine meinen dein euer",
    adverbs="jetzt nun immer noch schon nur wieder inzwischen mittlerweile eigentlich sehr ja mal",
    vague="es das dies er sie man jemand etwas was wer",
    frames="von in für durch mit auf an bei zu aus unter über",
    unique=r"(?:geboren|gehostet|gespeichert|verheiratet|gesetzt|festgelegt|begrenzt|eingestellt|geplant|geschrieben)\b"
    r"|(?:in|im|am|auf|bei|um|version|port)\b",
    openings=r"bitte|merk dir|übrigens|ab (?:jetzt|sofort|heute)|jetzt|inzwischen|korrektur|nein|dass|also|wir haben (?:entschieden"
    r"|beschlossen),? dass|hallo|hinweis",
    reasons=r"weil|da sich|damit|denn|wegen",
    negation=r"kein\w*|nicht|nie|niemals|ohne|weder|verboten",
    change=r"jetzt|nun|ab sofort|ab heute|inzwischen|mittlerweile|nicht mehr|kein\w* \w+ mehr|statt\w*|umgestellt|umgestiegen"
    r"|gewechselt|geändert|umbenannt|neuerdings|seit (?:kurzem|gestern|montag|heute|letzte\w*)|neue?[rsn]?|verlegt|verschoben",
    addition=r"auch|außerdem|zusätzlich|ebenfalls|daneben|sowohl",
    condition=r"wenn|falls|sofern|außer|nur (?:in|bei|für|im)|während|produktion|staging|lokal|unter (?:windows|linux|macos)|in tests?",
    doubt=r"vielleicht|könnte\w*|würde\w*|womöglich|angenommen|eventuell|wohl|überlegen",
    report=r"sagt\w*|meint\w*|laut|behauptet\w*|findet|zufolge",
    past=r"früher|damals|bis \d{4}|ehemals|letztes jahr|zuvor|anfangs|ursprünglich",
    weekdays=r"(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?",
    spans=r"sekunden?|minuten?|stunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre",
    sizes=r"zeichen|spalten?|zeilen?",
    switches="aktiviert deaktiviert an aus erlaubt verboten pflicht optional",
    replacements=(
        r"NEW,? (?:statt|anstatt|anstelle von|und nicht) OLD",
        r"NEW, nicht OLD",
        rf"\bvon OLD (?:auf|zu|nach) NEW (?:{_MOVED}|um)\b",
        rf"\b{_MOVED} von OLD (?:auf|zu|nach) NEW",
        r"OLD (?:wurde|wird|haben wir|ist) (?:jetzt )?durch NEW ersetzt",
        r"\bersetzen OLD durch NEW",
        r"\b(?:nicht|kein\w*) mehr OLD",
        r"\b(?:nutzen|verwenden|benutzen|trinke|esse|nutze|verwende) OLD nicht mehr(?:, sondern NEW)?",
        r"OLD heißt jetzt NEW",
        r"\bfrüher OLD, (?:jetzt|heute) NEW",
    ),
)
