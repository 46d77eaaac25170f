"""Spanish."""

from __future__ import annotations

from perdure.domain.languages.language import Language

_MOVED = r"(?:migr|cambi|mov|pas|sub|baj|actualiz|renombr|aument|reduj)\w*"

SPANISH = Language(
    name="es",
    common="""el la los las un una unos de del y es son en para por con que no nosotros yo mi nuestro nuestra fue está al se
        lo más usamos ahora siempre nunca""",
    copulas="es son está están fue era eran soy somos",
    verbs="""usa* uso utiliza* utilizamos corre* vive* vivo trabaja* trabajo habla* hablo prefiere* prefiero gusta* encanta*
        odia* odio bebe* bebo come como llama* llamo cuesta* empieza* termina* tiene* tienen tengo debe* necesita* caduca* queda*
        escucha* dura* pertenece* lidera* mantiene* soporta* adoro amo""",
    plain="usar usa usamos uso utilizar utilizamos es son hacer hacemos correr corre recuerda favor",
    lasting="vive vivo cuesta empieza termina caduca llama llamo corre escucha dura queda",
    likes="gusta encanta amo adoro prefiero",
    dislikes="odio detesto odia",
    articles="el la los las un una nuestro nuestra nuestros mi tu su",
    adverbs="ahora siempre todavía ya sólo solo actualmente hoy también",
    vague="eso esto él ella ellos aquello alguien algo quien",
    frames="de del en por para con al bajo",
    unique=r"(?:casad[oa]|alojad[oa]|guardad[oa]|nacid[oa]|ubicad[oa]|definid[oa]|limitad[oa]|fijad[oa]|escrit[oa]|programad[oa])\b"
    r"|(?:en|a las|puerto|versión|el)\b",
    openings=r"por favor|ahora|a partir de (?:ahora|hoy)|en realidad|recuerda|que|decidimos que|hola|corrección|nota|no",
    reasons=r"porque|ya que|para que|pues|debido a",
    negation=r"no|ningún\w*|ningun\w*|nunca|jamás|tampoco|sin|ni|prohibid\w*|evita",
    change=r"ahora|hoy en día|ya no|cambiamos|cambió|pasamos|pasó|migramos|en vez|en lugar|dejamos|corrección|en realidad"
    r"|últimamente|nuev[oa]s?|sustituid\w+|reemplaz\w+|renombrad\w+|actualmente",
    addition=r"también|además|asimismo|adicionalmente",
    condition=r"si|cuando|excepto|salvo|sólo (?:en|para)|solo (?:en|para)|durante|producción|staging|local|en windows|en linux"
    r"|en las pruebas",
    doubt=r"quizás?|tal vez|podría\w*|sería|a lo mejor|probablemente|pensando en",
    report=r"dice|dijo|según|afirm\w+|opina|cree",
    past=r"antiguamente|hasta \d{4}|el año pasado|antes|solía\w*|en el pasado|originalmente",
    weekdays=r"lunes|martes|miércoles|jueves|viernes|sábados?|domingos?",
    spans=r"segundos?|minutos?|horas?|días?|semanas?|mes|meses|años?",
    sizes=r"caracteres|columnas?|líneas?",
    switches="activado activada desactivado desactivada obligatorio obligatoria opcional permitido prohibido",
    replacements=(
        r"NEW,? (?:en vez de|en lugar de|y no) OLD",
        r"NEW, no OLD",
        rf"\b{_MOVED} .{{0,60}}?\bdel? OLD (?:al|a|por) NEW",
        r"\bya no \w+ (?:el |la )?OLD(?:, (?:ahora|sino)(?: es| usamos| bebo| uso)? NEW)?",
        r"\b(?:dejamos|dejé) de \w+ (?:el |la )?OLD",
        r"OLD (?:fue|ahora se) (?:sustituid[oa] por|reemplazad[oa] por|llama|renombrad[oa] a) NEW",
        r"\b(?:cambiamos|sustituimos|reemplazamos) (?:el |la )?OLD por NEW",
    ),
)
