"""Portuguese, Spanish and French frames of corrections and of look-alikes; see ``_corrections_en``."""

from __future__ import annotations

POOLS: dict[str, dict[str, tuple[str | tuple[str, ...], ...]]] = {
    "pt": {
        "city": ("Braga", "Coimbra", "Évora", "Recife", "Curitiba", "Manaus"),
        "person": ("Joana", "Tiago", "Beatriz", "Rafael", "Lurdes", "Otávio"),
        "drink": ("café", "chá verde", "chimarrão", "suco de laranja"),
        "food": ("bacalhau", "feijoada", "tapioca", "caldo verde"),
        "day": ("segunda", "terça", "quarta", "quinta", "sexta"),
    },
    "es": {
        "city": ("Sevilla", "Bilbao", "Rosario", "Cuenca", "Medellín", "Puebla"),
        "person": ("Lucía", "Mateo", "Carmen", "Joaquín", "Noelia", "Iván"),
        "drink": ("café", "mate", "té verde", "horchata"),
        "food": ("gazpacho", "mole", "ceviche", "empanadas"),
        "day": ("los lunes", "los martes", "los miércoles", "los jueves"),
    },
    "fr": {
        "city": ("Nantes", "Lille", "Grenoble", "Dijon", "Namur", "Québec"),
        "person": ("Camille", "Bastien", "Élodie", "Mathis", "Solène", "Youssef"),
        "drink": (("du café", "le café"), ("du thé", "le thé"), ("du chocolat chaud", "le chocolat chaud")),
        "food": ("la raclette", "le couscous", "la ratatouille", "le cassoulet"),
        "day": ("lundi", "mardi", "mercredi", "jeudi", "vendredi"),
    },
}

PORTUGUESE: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "true plain": {
        "another value of the same": (
            ("O banco de dados do {Service} é {db}.", "O banco de dados do {Service} é {db2}."),
            ("O líder da equipe {Team} é {person}.", "O líder da equipe {Team} agora é {person2}."),
        ),
        "moved from one to the other": (("Hospedamos tudo na {cloud}.", "Migramos da {cloud} para a {cloud2}."),),
        "no longer": (("Eu moro em {city}.", "Não moro mais em {city}, agora moro em {city2}."),),
    },
    "true free": {
        "another tool, in other words": (
            ("Programo no {editor}.", "Larguei o {editor} de vez, quem manda na minha tela é o {editor2}."),
            (
                "Os dados do {Service} ficam no {db}.",
                "Desde a reforma, o que o {Service} grava vai parar no {db2}; o {db} foi desligado.",
            ),
        ),
        "another time, in other words": (
            ("A reunião da equipe é na {day}.", "Empurraram a nossa conversa semanal para {day2}, {day} ficou livre."),
        ),
        "a person's life has changed": (
            ("{Person} trabalha na {firm}.", "{Person} pediu as contas na {firm} e já bate ponto na {firm2}."),
        ),
    },
    "alike plain": {
        "another subject": (("{Person} mora em {city}.", "{Person2} mora em {city2}."),),
        "an addition": (("Eu gosto de {food}.", "Eu também gosto de {food2}."),),
        "a question": (("O {Service} usa {db}.", "Será que o {Service} usa {db2}?"),),
    },
    "alike free": {
        "another condition": (
            ("Durante a semana, meu dia começa com {drink}.", "Já no domingo quem abre os trabalhos é {drink2}."),
        ),
        "somebody else's words": (
            ("O {Service} é feito em {lang}.", "{person} vive dizendo por aí que o {Service} merecia {lang2}."),
        ),
        "of the past": (
            (
                "Quem guarda nossos pedidos é o {db}.",
                "Lá atrás, quando éramos cinco gatos-pingados, os pedidos dormiam no {db2}.",
            ),
        ),
    },
}

SPANISH: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "true plain": {
        "another value of the same": (
            ("Mi editor favorito es {editor}.", "Mi editor favorito es {editor2}."),
            ("{Service} escucha en el puerto {port}.", "{Service} escucha en el puerto {port2}."),
        ),
        "use one, not the other": (
            ("Usa {pm} para instalar los paquetes.", "Usa {pm2} en lugar de {pm} para instalar los paquetes."),
        ),
        "no longer": (("Trabajo en {firm}.", "Ya no trabajo en {firm}, ahora trabajo en {firm2}."),),
    },
    "true free": {
        "a person's life has changed": (
            ("Vivo en {city}.", "Por fin hice las maletas: dejé atrás {city} y {city2} es mi casa."),
            ("{Person} no come carne.", "A {Person} se le ve otra vez feliz delante de un buen chuletón."),
        ),
        "somebody else, in other words": (
            (
                "{person} lleva el equipo {Team}.",
                "Las riendas de {Team} las tiene {person2} desde que {person} se marchó.",
            ),
        ),
        "another store or host, in other words": (
            (
                "{Service} corre en {cloud}.",
                "Nos cansamos de las facturas de {cloud} y nos llevamos {Service} a {cloud2}.",
            ),
        ),
    },
    "alike plain": {
        "another environment": (("En pruebas {Service} usa {db}.", "En producción {Service} usa {db2}."),),
        "many values": (("{Service} admite {fmt}.", "{Service} admite {fmt2}."),),
        "another interval": (("{Person} está de guardia en {team}.", "{Person} está de guardia en {team}."),),
    },
    "alike free": {
        "another subject": (
            ("A mi hermano le tira más {city}.", "Yo, en cambio, de {city2} no me muevo."),
            ("De revisar {Service} se ocupa {person}.", "Para tocar {Service2} hay que hablar con {person2}."),
        ),
        "a hypothetical": (
            ("Nuestros mensajes pasan por {queue}.", "Si algún día nos tocara la lotería, montaríamos {queue2}."),
        ),
        "another interval": (("{person} atiende el turno de noche.", "Las noches vuelven a ser cosa de {person}."),),
    },
}

FRENCH: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "true plain": {
        "another value of the same": (
            ("La branche par défaut de {Service} est {branch}.", "La branche par défaut de {Service} est {branch2}."),
        ),
        "moved from one to the other": (
            ("Le front est construit avec {bundler}.", "Nous sommes passés de {bundler} à {bundler2}."),
        ),
        "no longer": (
            ("{Service} utilise {db}.", "{Service} n'utilise plus {db}, il utilise {db2}."),
            ("J'habite à {city}.", "Je n'habite plus à {city}, j'habite maintenant à {city2}."),
        ),
    },
    "true free": {
        "another tool, in other words": (
            (
                "Nos tests tournent sous {tester}.",
                "On a fini par jeter {tester} : c'est {tester2} qui fait le travail.",
            ),
        ),
        "a person's life has changed": (
            ("Le matin, je bois {drink[0]}.", "Depuis les fêtes, fini {drink[1]} au réveil : place à {drink2[1]}."),
            ("{Person} bosse chez {firm}.", "{Person} a claqué la porte de {firm} et s'éclate chez {firm2}."),
        ),
        "another time, in other words": (
            ("On livre le {day}.", "Les mises en prod ont glissé au {day2}, le {day} finissait toujours mal."),
        ),
    },
    "alike plain": {
        "another relation": (("{Service} utilise {db}.", "{Service} utilise {queue}."),),
        "an addition": (("J'aime {food}.", "J'aime aussi {food2}."),),
        "two authors": (
            ("Le délai de {Service} est de {minutes} minutes.", "Le délai de {Service} est de {minutes2} minutes."),
        ),
        "says the same": (("Ne pousse jamais sur {branch}.", "Il ne faut pas pousser sur {branch}."),),
    },
    "alike free": {
        "another environment": (
            (
                "Chez nous, à l'atelier, les machines tournent sous {os}.",
                "Sur les serveurs loués à Francfort, c'est {os2} qu'on trouve.",
            ),
        ),
        "a question": (("On héberge {Service} chez {cloud}.", "Et {cloud2} pour {Service}, ça vous dirait ?"),),
        "another perspective": (
            ("Pour {person}, {Service} rame.", "{person2} trouve au contraire que {Service} répond au quart de tour."),
        ),
    },
}

ASIDES = {
    "pt": (
        "A máquina de gelo da copa fez barulho a noite toda.",
        "Sobraram balões da festa de aniversário.",
        "O elevador social está com cheiro de tinta.",
        "Alguém esqueceu um guarda-chuva amarelo na recepção.",
    ),
    "es": (
        "En la azotea anidan unas cigüeñas.",
        "La fotocopiadora del pasillo hace un ruido rarísimo.",
        "Ayer regalaron entradas para el circo.",
        "Quedan dos sillas cojas en la sala grande.",
    ),
    "fr": (
        "La machine à glaçons fuit encore.",
        "Le voisin du dessous apprend l'accordéon.",
        "Il reste des crêpes dans la salle de pause.",
        "On a retrouvé un parapluie rouge à l'accueil.",
    ),
}
"""What is told between two statements and concerns neither."""
