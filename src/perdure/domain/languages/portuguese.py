"""Portuguese."""

from __future__ import annotations

from perdure.domain.languages.language import Language

_MOVED = r"(?:migr|mud|troc|pass|alter|renome|aument|reduz|mov|baix|sub)\w*"

PORTUGUESE = Language(
    name="pt",
    common="""o os as um uma de do da dos das e é são em no na nos nas para por com que não nós eu meu minha nosso nossa foi
        está ao pelo pela mais usamos agora sempre nunca""",
    copulas="é são era eram está estão foi eram sou somos",
    verbs="""usa* uso utiliza* utilizo roda* rodam mora* moro trabalha* trabalho fala* falo prefere* prefiro gosta* gosto ama*
        amo odeia* odeio bebe* bebo come como chama* chamo custa* começa* termina* fica* ficam tem têm temos tenho deve* precisa*
        expira* vence* escuta* dura* pertence* lidera* mantém suporta*""",
    plain="usar usa usamos uso utilizar utilizamos é são fazer fazemos rodar roda lembre favor",
    lasting="mora moro custa começa termina fica expira chama chamo roda escuta dura vence",
    likes="gosto gosta amo adoro prefiro",
    dislikes="odeio detesto odeia",
    articles="o a os as um uma nosso nossa nossos nossas meu minha seu sua",
    adverbs="agora sempre ainda já só somente atualmente hoje mesmo",
    vague="isso isto ele ela eles elas aquilo alguém algo quem",
    frames="de do da em no na por para com ao pelo pela sob",
    unique=r"(?:casad[oa]|hospedad[oa]|guardad[oa]|nascid[oa]|nasceu|localizad[oa]|definid[oa]|limitad[oa]|marcad[oa]|escrit[oa])\b"
    r"|(?:em|no|na|às|porta|versão)\b",
    openings=r"por favor|agora|a partir de (?:agora|hoje)|na verdade|lembre(?:-se)?|que|decidimos que|oi|olá|correção|nota|não",
    reasons=r"porque|pois|já que|para que|por causa",
    negation=r"nenhum\w*|não|nunca|jamais|sem|nem|proibid\w*|evite",
    change=r"agora|hoje em dia|passou|passamos|mudou|mudamos|migramos|trocamos|deixou|deixamos|paramos|em vez|não .{0,30}\bmais"
    r"|correção|na verdade|ultimamente|nov[oa]s?|substituíd\w+|renomead\w+|atualmente",
    addition=r"também|além|ainda por cima|adicionalmente",
    condition=r"se|quando|caso|exceto|salvo|apenas (?:em|no|na|para)|durante|produção|homologação|staging|local|no windows|no linux"
    r"|nos testes",
    doubt=r"talvez|poderia\w*|seria|quem sabe|pensando em|deveríamos|provavelmente",
    report=r"disse|diz|segundo|afirm\w+|acha|falou que",
    past=r"antigamente|até \d{4}|no passado|antes|costumava|ano passado|originalmente",
    weekdays=r"(?:segunda|terça|quarta|quinta|sexta)s?(?:-feiras?)?|sábados?|domingos?",
    spans=r"segundos?|minutos?|horas?|dias?|semanas?|meses|mês|anos?",
    sizes=r"caracteres|colunas?|linhas?",
    switches="ligado ligada desligado desligada obrigatório obrigatória opcional ativado desativado permitido proibido",
    replacements=(
        r"NEW,? (?:em vez de|ao invés de|no lugar d[eoa]|e não) OLD",
        r"NEW, não OLD",
        rf"\b{_MOVED} .{{0,60}}?\bd[eoa]s? OLD (?:para o|para a|para|pra) NEW",
        r"\bd[eo] OLD para o? ?NEW",
        r"\bnão \w+ mais (?:o |a )?OLD(?:, (?:agora|e sim|mas)(?: é| usamos| bebo| uso)? NEW)?",
        r"\b(?:deixamos|deixei|paramos|parei) de \w+ (?:o |a )?OLD",
        r"OLD (?:foi|agora se) (?:substituíd[oa] por|chama|renomead[oa] para) NEW",
        r"\btrocamos (?:o |a )?OLD (?:por|pelo|pela) NEW",
    ),
)
