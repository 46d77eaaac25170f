"""German, Russian, Chinese and Japanese frames of corrections and of look-alikes; see ``_corrections_en``."""
# ruff: noqa: RUF001 - these sentences are written in the letters and signs of their languages

from __future__ import annotations

POOLS: dict[str, dict[str, tuple[str | tuple[str, ...], ...]]] = {
    "de": {
        "city": ("Bremen", "Kiel", "Graz", "Leipzig", "Basel", "Ulm"),
        "person": ("Katrin", "Jürgen", "Svenja", "Matthias", "Leyla", "Oskar"),
        "drink": ("Kaffee", "Kakao", "Ostfriesentee", "Apfelschorle"),
        "vehicle": (("dem Rad", "das Rad"), ("dem Bus", "der Bus"), ("der Bahn", "die Bahn"), ("dem Auto", "das Auto")),
    },
    "ru": {
        "city": (
            ("Казань", "Казани"),
            ("Самара", "Самаре"),
            ("Тверь", "Твери"),
            ("Пермь", "Перми"),
            ("Томск", "Томске"),
        ),
        "person": ("Ольга", "Марина", "Света", "Даша", "Лена"),
        "drink": ("кофе", "зелёный чай", "какао", "мате"),
        "food": ("борщ", "плов", "сырники", "хинкали"),
    },
    "zh": {
        "city": ("杭州", "成都", "厦门", "西安", "青岛"),
        "person": ("王芳", "李雷", "陈静", "赵强", "周敏"),
        "drink": ("咖啡", "豆浆", "绿茶", "牛奶"),
        "food": ("火锅", "小笼包", "麻辣烫", "烤鸭"),
        "team": ("支付", "搜索", "物流", "风控"),
        "day": ("周一", "周二", "周三", "周四"),
    },
    "ja": {
        "city": ("札幌", "福岡", "仙台", "神戸", "金沢"),
        "person": ("田中さん", "鈴木さん", "高橋さん", "小林さん", "渡辺さん"),
        "drink": ("コーヒー", "紅茶", "緑茶", "豆乳"),
        "food": ("お好み焼き", "うなぎ", "餃子", "天ぷら"),
        "team": ("決済", "検索", "物流", "認証"),
        "day": ("月曜", "火曜", "水曜", "木曜"),
    },
}

GERMAN: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "true plain": {
        "another value of the same": (
            ("Die Datenbank von {Service} ist {db}.", "Die Datenbank von {Service} ist {db2}."),
        ),
        "another number": (
            (
                "Der Timeout von {Service} beträgt {minutes} Minuten.",
                "Der Timeout von {Service} beträgt {minutes2} Minuten.",
            ),
        ),
        "moved from one to the other": (
            ("Wir deployen auf {cloud}.", "Wir sind von {cloud} auf {cloud2} umgestiegen."),
        ),
        "no longer": (("Ich wohne in {city}.", "Ich wohne nicht mehr in {city}, sondern in {city2}."),),
    },
    "true free": {
        "a person's life has changed": (
            ("Ich arbeite bei {firm}.", "Bei {firm} habe ich gekündigt, mein Gehalt kommt von {firm2}."),
            ("Ich komme mit {vehicle[0]} zur Arbeit.", "Inzwischen bringt mich {vehicle2[1]} ins Büro."),
        ),
        "another store or host, in other words": (
            (
                "Die Daten von {Service} liegen in {db}.",
                "Seit dem Umbau schreibt {Service} alles nach {db2}; den Rechner mit {db} haben wir verschrottet.",
            ),
        ),
        "somebody else, in other words": (
            ("Das Team {Team} leitet {person}.", "{person2} hat bei {Team} das Ruder von {person} übernommen."),
        ),
    },
    "alike plain": {
        "another subject": (("{Service} läuft auf Port {port}.", "{Service2} läuft auf Port {port2}."),),
        "an addition": (("Wir verwenden {queue}.", "Wir verwenden außerdem {queue2}."),),
        "of the past": (("{Service} ist in {lang} geschrieben.", "Bis 2022 war {Service} in {lang2} geschrieben."),),
        "another condition": (("In Tests nimmt {Service} {db}.", "Unter Windows nimmt {Service} {db2}."),),
    },
    "alike free": {
        "another subject": (
            ("Meine Schwester hat es nach {city} verschlagen.", "Mich kriegt aus {city2} keiner mehr weg."),
        ),
        "a question": (("{Service} steht bei {cloud}.", "Was hieltet ihr davon, {Service} zu {cloud2} zu schieben?"),),
        "another condition": (
            ("Unter der Woche gibt es bei mir {drink} zum Frühstück.", "Am Sonntag darf es dann {drink2} sein."),
        ),
        "says the same": (("Auf {branch} pusht niemand direkt.", "Finger weg von {branch}!"),),
    },
}

RUSSIAN: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "true plain": {
        "another value of the same": (("База данных у {Service} — {db}.", "База данных у {Service} — {db2}."),),
        "use one, not the other": (("Для пакетов используй {pm}.", "Для пакетов используй {pm2}, а не {pm}."),),
        "moved from one to the other": (("Наш CI работает на {ci}.", "Мы перешли с {ci} на {ci2}."),),
        "no longer": (("Я живу в {city[1]}.", "Я больше не живу в {city[1]}, теперь я живу в {city2[1]}."),),
    },
    "true free": {
        "a person's life has changed": (
            ("Я работаю в {firm}.", "С {firm} распрощался, зарплату мне платят уже в {firm2}."),
            (
                "По утрам у меня {drink}.",
                "Врач запретил, так что вместо привычного {drink2} в кружке, а {drink} — мимо.",
            ),
        ),
        "another tool, in other words": (
            ("Пишу код в {editor}.", "{editor} снёс начисто, сижу в {editor2} и не нарадуюсь."),
        ),
        "somebody else, in other words": (
            ("Командой {Team} руководит {person}.", "{person} ушла в декрет, за {Team} отвечает {person2}."),
        ),
    },
    "alike plain": {
        "another environment": (("На стейджинге {Service} использует {db}.", "На проде {Service} использует {db2}."),),
        "an addition": (("Я люблю {food}.", "Ещё я люблю {food2}."),),
        "a hypothetical": (
            ("{Service} написан на {lang}.", "Если бы {Service} был написан на {lang2}, сборка шла бы быстрее."),
        ),
    },
    "alike free": {
        "another subject": (
            ("Родители осели в {city[1]}.", "А меня из города, где я вырос, не вытащить: {city2[0]} — это навсегда."),
        ),
        "somebody else's words": (
            ("{Service} держим на {cloud}.", "{person} всем уши прожужжала, что {Service} место на {cloud2}."),
        ),
        "of the past": (("События гоняем через {queue}.", "Говорят, в лохматые годы тут всё крутилось на {queue2}."),),
    },
}

CHINESE: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "true plain": {
        "another value of the same": (
            ("{Service} 的默认分支是 {branch}。", "{Service} 的默认分支是 {branch2}。"),
            ("{Team}组的负责人是{person}。", "{Team}组的负责人现在是{person2}。"),
        ),
        "moved from one to the other": (("我们把服务部署在 {cloud}。", "我们从 {cloud} 迁移到了 {cloud2}。"),),
        "no longer": (("我住在{city}。", "我不再住在{city}了，现在住在{city2}。"),),
    },
    "true free": {
        "a person's life has changed": (
            ("{Person}在 {firm} 上班。", "{Person}把 {firm} 的工作辞了，刚去 {firm2} 报到。"),
            ("我早上喝{drink}。", "胃受不了{drink}，每天起床先来一杯{drink2}。"),
        ),
        "another tool, in other words": (("写代码我用 {editor}。", "{editor} 早被我卸载了，天天泡在 {editor2} 里。"),),
        "another time, in other words": (("组会定在{day}。", "因为会议室紧张，组里碰头挪到{day2}，{day}不用来了。"),),
    },
    "alike plain": {
        "another subject": (("{Person}住在{city}。", "{Person2}住在{city2}。"),),
        "an addition": (("我喜欢吃{food}。", "我也喜欢吃{food2}。"),),
        "another environment": (("测试环境的 {Service} 用 {db}。", "生产环境的 {Service} 用 {db2}。"),),
        "a question": (("{Service} 用的是 {db}。", "{Service} 用的是 {db2} 吗？"),),
    },
    "alike free": {
        "another condition": (("平时加班我靠{drink}撑着。", "放假在家嘛，桌上摆的多半是{drink2}。"),),
        "somebody else's words": (
            ("{Service} 跑在 {cloud} 上。", "{person}逢人就念叨，{Service} 早该搬去 {cloud2}。"),
        ),
        "of the past": (("订单都存在 {db} 里。", "听老同事讲，刚创业那会儿订单塞在 {db2} 里。"),),
    },
}

JAPANESE: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "true plain": {
        "another value of the same": (
            ("{Service}のデータベースは{db}です。", "{Service}のデータベースは{db2}です。"),
            ("{Service}のポートは{port}です。", "{Service}のポートは{port2}です。"),
        ),
        "moved from one to the other": (("デプロイ先は{cloud}です。", "{cloud}から{cloud2}に移行しました。"),),
        "use one, not the other": (
            ("パッケージのインストールには{pm}を使ってください。", "{pm}ではなく{pm2}を使ってください。"),
        ),
    },
    "true free": {
        "a person's life has changed": (
            ("私は{city}に住んでいます。", "{city}のアパートを引き払って、{city2}で新生活を始めたところです。"),
            ("朝は{drink}を飲みます。", "{drink}はもう卒業。起きたらまず{drink2}を淹れるのが日課になった。"),
        ),
        "somebody else, in other words": (
            (
                "{Team}チームのリーダーは{person}です。",
                "{person}が抜けたので、{Team}は{person2}が引っ張ってくれています。",
            ),
        ),
        "another time, in other words": (
            ("リリースは毎週{day}です。", "本番に出す日、バタバタするから{day2}にずらしたよ。{day}はなし。"),
        ),
    },
    "alike plain": {
        "another relation": (("{Service}は{db}を使っています。", "{Service}は{queue}を使っています。"),),
        "many values": (("{Service}は{fmt}に対応しています。", "{Service}は{fmt2}に対応しています。"),),
        "another interval": (("{Person}は{team}チームの担当です。", "{Person}は{team}チームの担当です。"),),
        "an addition": (("{food}が好きです。", "{food2}も好きです。"),),
    },
    "alike free": {
        "another subject": (("姉は{city}に腰を落ち着けた。", "自分はというと、{city2}を離れる気はさらさらない。"),),
        "a hypothetical": (
            ("ビルドは{ci}で回している。", "予算がつくなら、ビルドを{ci2}に載せてみるのも面白そうだ。"),
        ),
        "another perspective": (
            ("{person}は{Service}が重いとこぼしている。", "{person2}に言わせると、{Service}はサクサク動くらしい。"),
        ),
    },
}

ASIDES = {
    "de": (
        "Im Treppenhaus wird gerade gestrichen.",
        "Der Kühlschrank in der Teeküche brummt.",
        "Jemand hat einen grünen Schal liegen lassen.",
        "Vor dem Haus steht ein Zirkuszelt.",
    ),
    "ru": (
        "На лестнице опять перегорела лампочка.",
        "Во дворе поставили новую карусель.",
        "Кто-то забыл в переговорке жёлтый шарф.",
        "Вчера полдня шёл град.",
    ),
    "zh": ("楼下的电梯又坏了。", "前台捡到一把蓝色雨伞。", "会议室的绿萝该浇水了。", "昨天下了一场大冰雹。"),
    "ja": (
        "給湯室の電球が切れていた。",
        "受付に黄色い傘の忘れ物がある。",
        "昨日は雹が降って大変だった。",
        "隣のビルに小さな水族館ができた。",
    ),
}
"""What is told between two statements and concerns neither."""
