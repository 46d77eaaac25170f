"""English."""

from __future__ import annotations

from perdure.domain.languages.language import Language

_USE = r"(?:(?:use|using|run|running|drink|eat|live in|work (?:at|for)|on|need|support|prefer|like|deploy (?:to|on)) )?"
_MOVED = (
    r"(?:migrat|switch|mov|chang|upgrad|downgrad|convert|port|transition|renam|shift|bump|rais|lower|increas|decreas|reduc"
    r"|cut|dropp|grew|went|gone|going)\w*"
)
_OFF = r"(?:stopped|dropped|abandoned|retired|deprecated|removed|ditched|gave up|got rid of|moved off|moved away from)"

ENGLISH = Language(
    name="en",
    common="""the a an of to and in is are was for with on that by it as at from we our i my you your not use uses this be
        have has will should must always never now or they their""",
    copulas="is are was were be been am isn't aren't wasn't weren't",
    verbs="""use* live* work* run* play* speak* need* require* listen* deploy* prefer* like* love* hate* dislike* enjoy*
        drink* eat* drive* store* keep* kept default* expire* start* end* take* took cost* return* expect* support* include*
        contain* have has had own* maintain* lead* led review* depend* point* target* belong* begin* close* open* ship*
        release* host* call* name* write* wrote* found* create* die* born marr* employ* teach* study* studied spoke* report*
        sit* sat stay* remain* go goes went lives talk* adore* detest*""",
    plain="""use uses used using run runs keep keeps be is are was make set do go get take put call calls called switch move
        migrate change replace rename upgrade decide please remember note always""",
    lasting="""live lives expire expires default defaults cost costs start starts end ends begin begins close closes open
        opens listen listens run runs point points deploys lasts last weigh weighs""",
    likes="like likes love loves prefer prefers enjoy enjoys favour favor adore",
    dislikes="hate hates dislike dislikes detest loathe",
    articles="the a an our my your their his her its this",
    adverbs="""now currently always still already only just really very actually today again officially finally usually
        generally nowadays instead
        must should shall can will to""",
    vague="it this that these those there he she they what which who here one something everything nobody someone",
    frames="of in by to for with at on from as under into",
    unique=r"(?:located|based|headquartered|hosted|stored|kept|deployed|written|called|named|owned|led|maintained|managed"
    r"|scheduled|due|pinned|bound|set|fixed|limited|capped|married|born|situated|configured|known|billed|paid|served"
    r"|stationed)\b|(?:in|at|on|by|version|port)\b",
    openings=r"please|note|remember|reminder|fyi|correction|update|decision|rule|actually|no|nope|so|and|but|ok(?:ay)?|hi|hey"
    r"|hello|well|from now on|as of (?:now|today|\S+)|these days|nowadays|today|now|currently|by the way|btw"
    r"|we (?:have )?(?:decided|agreed) (?:that|to)|that",
    reasons=r"because|since (?!\d)|so that|as that|due to|in order to",
    negation=r"no|not|never|none|nobody|nothing|neither|nor|without|cannot|\w+n['’]t|dont|doesnt|isnt|cant|wont|stop|avoid"
    r"|forbid\w*|forbidden",
    change=r"now|nowadays|today|any ?more|no longer|instead|from now on|these days|as of|switch\w*|migrat\w+|moved?|changed?"
    r"|replac\w+|renam\w+|became|upgrad\w+|downgrad\w+|bumped|raised|lowered|correction|actually|used to|since (?:then|monday"
    r"|tuesday|wednesday|thursday|friday|last \w+|this \w+)|new|lately|recently|dropped|retired|deprecated|stopped|ditched",
    addition=r"also|too|as well|besides|additionally|in addition|both|another|on top",
    condition=r"if|when|whenever|unless|except|only (?:in|on|for|during)|during|while|in case|within|in tests?|in dev\w*|in ci"
    r"|locally|on (?:windows|mac\w*|linux|ios|android|mobile|desktop)|staging|production|prod|sandbox|preview|local",
    doubt=r"maybe|perhaps|might|could|would|should we|what if|suppose|imagine|probably|considering|thinking (?:of|about)"
    r"|someday|proposal|proposes?|suggest\w*|i wonder|wish",
    report=r"said|says|claims?|claimed|thinks?|according to|quote|wrote|told|asked|heard|believes?|insists?",
    past=r"used to|until \d{4}|back in|in (?:19|20)\d\d|formerly|previously|years? ago|last year|in the past|originally"
    r"|before \d{4}|in the old days|at first",
    weekdays=r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?",
    spans=r"ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|sprints?",
    sizes=r"[kmgt]i?b|bytes?|characters?|chars?|columns?|lines?|tokens?|rows?|px|spaces?",
    switches="on off enabled disabled true false yes no required optional allowed forbidden mandatory open closed",
    replacements=(
        r"NEW,? (?:instead of|rather than|in place of) OLD",
        r"\b(?:use|run|take|choose|pick|prefer|want|keep) NEW,? (?:and )?(?:not|over) OLD",
        r"NEW, (?:and )?not OLD",
        r"\binstead of OLD,? (?:we )?(?:now )?(?:use|run|go with|take) NEW",
        rf"\b{_MOVED}\b.{{0,60}}?\bfrom OLD (?:over )?to NEW",
        r"\breplac\w+ OLD (?:with|by) NEW",
        r"(?:^|[,;] |\bthe |\bour )OLD (?:is|was|are|were|has been|have been|got) (?:now )?(?:replaced (?:with|by)"
        r"|renamed(?: to)?|now called|superseded by) NEW",
        r"NEW (?:now )?(?:(?:has|have) replaced|replaces|supersedes) OLD",
        r"\brenam\w+ OLD (?:in)?to NEW",
        rf"\b(?:no longer|don['’]t|do not|{_OFF}) {_USE}OLD(?: any ?more| any longer)?[,;.]? (?:but|we(?:['’]re| are)? (?:now )?"
        rf"(?:use|using|on|run)|it['’]?s now|now) {_USE}NEW",
        rf"\bno longer {_USE}OLD",
        rf"\bnot {_USE}OLD any ?more",
        rf"\b{_OFF} (?:using )?OLD",
        r"\bused to (?:use |be |run |drink |eat |live in |work (?:at|for) |have |prefer |like |deploy (?:on|to) )?OLD,? (?:but )?"
        r"(?:and )?(?:now|today|these days)(?: (?:I|we|it['’]?s)(?: (?:use|drink|eat|am|are|live in|work (?:at|for)|prefer))?)? NEW",
    ),
)
