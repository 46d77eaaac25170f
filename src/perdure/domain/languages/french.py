"""French."""

from __future__ import annotations

from perdure.domain.languages.language import Language

_MOVED = r"(?:migr|pass|chang|bascul|renomm|augment|rédui|déplac|déménag)\w*"

FRENCH = Language(
    name="fr",
    common="""le la les un une des du de et est sont en dans pour par avec que qui ne pas nous je mon ma notre nos on au aux
        sur plus utilisons toujours jamais maintenant c'est j'ai""",
    copulas="est sont était étaient suis sommes",
    verbs="""utilise* utilisons utilisez tourne* habite* travaille* parle* préfère* aime* adore* déteste* bois boit mange*
        appelle* coûte* commence* finit dure* a ont ai avons doit doivent faut expire* reste* écoute* appartient dirige* maintient
        déployons déploie* vit""",
    plain="utiliser utilisons utilisez utilise est sont faire fait tourner tourne rappelle svp",
    lasting="habite coûte commence finit expire appelle tourne écoute dure vit reste",
    likes="aime adore préfère",
    dislikes="déteste hais",
    articles="le la les l' un une notre nos mon ma mes ton son sa ce cette",
    adverbs="maintenant toujours encore déjà seulement désormais actuellement aujourd'hui",
    vague="cela ça il elle ils elles ceci quelqu'un on ce",
    frames="de du des en dans par pour avec au aux sur sous à",
    unique=r"(?:marié|hébergée?|né|née|située?|fixée?|limitée?|stockée?|écrite?|prévue?|réglée?)\b|(?:à|en|sur|le|version|port)\b",
    openings=r"s'il (?:te|vous) plaît|maintenant|désormais|dorénavant|à partir de maintenant|en fait|rappelle-toi|que"
    r"|nous avons décidé (?:que|de)|bonjour|salut|correction|note|non",
    reasons=r"parce que|car|puisque|afin de|pour que|à cause",
    negation=r"pas|aucune?|jamais|sans|ni|rien|interdit\w*|évite\w*",
    change=r"maintenant|désormais|dorénavant|plutôt|au lieu|n['e].{0,30}\bplus|passé|changé|migré|remplac\w+|correction|en fait"
    r"|nouve(?:au|lle)|renommé\w*|ces temps-ci|dernièrement|abandonné",
    addition=r"aussi|également|en outre|de plus|en plus",
    condition=r"si|quand|lorsque|sauf|seulement (?:en|pour|dans)|pendant|production|staging|en local|sous (?:windows|linux|macos)"
    r"|dans les tests",
    doubt=r"peut-être|pourrait|pourrions|serait|supposons|devrions|probablement",
    report=r"dit|selon|prétend|affirme|pense|d'après",
    past=r"autrefois|jusqu['’]en|jadis|auparavant|dans le passé|l'an dernier|à l'origine|avant",
    weekdays=r"lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?",
    spans=r"secondes?|minutes?|heures?|jours?|semaines?|mois|ans?|années?",
    sizes=r"caractères?|colonnes?|lignes?",
    switches="activé activée désactivé désactivée obligatoire facultatif facultative autorisé interdit",
    replacements=(
        r"NEW,? (?:au lieu de|plutôt que|à la place de|et non) OLD",
        r"NEW, pas OLD",
        rf"\b{_MOVED} .{{0,60}}?\b(?:de |d['’]|du )OLD (?:à|vers|au) NEW",
        r"\bremplac\w+ OLD par NEW",
        r"OLD a été (?:remplacée?|renommée?) (?:par|en) NEW",
        r"\b(?:n['’]|ne )\w+ plus (?:le |la |de |d['’])?OLD(?:, (?:maintenant|mais) NEW)?",
        r"OLD s['’]appelle maintenant NEW",
    ),
)
