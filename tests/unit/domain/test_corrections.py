from __future__ import annotations

import pytest

from perdure.domain.corrections import Kind, read, relate, salient

# What a person's own words correct for certain, in every language that the rules know.
APPLIED = [
    ("The deploy day is Tuesday.", "The deploy day is Thursday."),
    ("Our staging database runs on port 5432.", "Our staging database runs on port 5433."),
    (
        "The session timeout is 30 minutes, because a crossing takes 25.",
        "Correction: the session timeout is 15 minutes, not 30.",
    ),
    ("We use npm for installs.", "Use pnpm instead of npm for installs."),
    ("The billing service runs on Heroku.", "We migrated the billing service from Heroku to Fly last week."),
    ("I love Chinese food.", "I hate Chinese food."),
    ("I drink coffee in the morning.", "I used to drink coffee in the morning, now green tea."),
    ("The repository is called harbour.", "The repository was renamed from harbour to pier."),
    ("12. The capital of Ferrania is Dock.", "40. The capital of Ferrania is Pier."),
    ("Feature flags are disabled.", "Feature flags are enabled."),
    (
        "The minimum supported Rust version is 1.85.",
        "We raised the minimum supported Rust version from 1.85 to 1.88.",
    ),
    ("My name is Jeremy.", "My name is Jerome."),
    ("Der Deploy-Tag ist Dienstag.", "Der Deploy-Tag ist jetzt Donnerstag."),
    ("Wir verwenden Jira für Tickets.", "Wir verwenden Linear statt Jira für Tickets."),
    ("Das Zeitlimit ist 30 Sekunden.", "Das Zeitlimit ist 10 Sekunden."),
    ("O dia do deploy é terça-feira.", "O dia do deploy é quinta-feira."),
    ("Usamos Redis para o cache.", "Não usamos mais Redis para o cache, agora é Valkey."),
    ("O tempo limite é 30 segundos.", "O tempo limite é 10 segundos."),
    ("El día de despliegue es martes.", "El día de despliegue es jueves."),
    ("Usamos npm para instalar.", "Usamos pnpm en vez de npm para instalar."),
    ("El límite es 30 segundos.", "El límite es 10 segundos."),
    ("Le jour de déploiement est mardi.", "Le jour de déploiement est jeudi."),
    ("Nous utilisons unittest.", "Utilisez pytest plutôt que unittest."),
    ("Le délai est 30 secondes.", "Le délai est 10 secondes."),
    ("Мы используем Jenkins для сборки.", "Для сборки мы используем GitHub Actions вместо Jenkins."),
    ("Сервер находится в Москве.", "Сервер находится в Казани."),
    ("Проект называется Причал.", "Проект называется Маяк."),
    ("部署日是周二。", "部署日现在是周四。"),
    ("我们使用 MySQL。", "我们从 MySQL 迁移到了 PostgreSQL。"),
    ("超时时间是30秒。", "超时时间是10秒。"),
    ("デプロイ日は火曜日です。", "デプロイ日は木曜日です。"),
    ("私たちはJestを使っています。", "JestからVitestに移行しました。"),
    ("タイムアウトは30秒です。", "タイムアウトは10秒です。"),
]
# What looks like a correction and is for a person to decide.
PROPOSED = [
    ("The API port is 8080.", "The API listens on 9090 these days."),
    ("We ship releases on Tuesdays.", "Releases go out Thursday mornings these days."),
    ("Requests time out after 30 seconds.", "Timeouts for requests have been cut to 10 seconds."),
    ("Alex is assigned to Payments.", "Alex is assigned to Search."),
    ("Never push to main on Fridays.", "Pushing to main on Fridays is fine."),
    ("Wir deployen am Dienstag.", "Wir deployen ab jetzt am Donnerstag."),
    ("Порт API 8080.", "Порт API теперь 9090."),
    ("billing-apiはJSONに対応しています。", "billing-apiはYAMLに対応しています。"),
    ("search-indexerはSQLiteを使っています。", "search-indexerはRabbitMQを使っています。"),
    ("ログは常にJSON形式でファイルに書き込まれます。", "ログはJSON形式でファイルに必ず書き込まれます。"),
]
# What must stay beside each other: other subjects, several values, conditions, doubts, reports, questions, the past.
ALONE = [
    ("service-a listens on port 8080.", "service-b listens on port 9090."),
    ("Ana leads the billing team.", "Ben leads the search team."),
    ("The staging timeout is 30 seconds.", "The production timeout is 10 seconds."),
    ("Der Port von Alpha ist 8080.", "Der Port von Beta ist 9090."),
    ("O limite da API é 30 segundos.", "O limite do banco é 10 segundos."),
    ("El puerto de alfa es 8080.", "El puerto de beta es 9090."),
    ("Le port de alpha est 8080.", "Le port de bêta est 9090."),
    ("测试环境的端口是8080。", "生产环境的端口是9090。"),
    ("本番のポートは8080です。", "検証のポートは9090です。"),
    ("Ana speaks Portuguese.", "Ana speaks Spanish."),
    ("We support Postgres 15.", "We also support Postgres 16."),
    ("Ben is a member of Core.", "Ben is also a member of Ops."),
    ("Wir unterstützen Python 3.11.", "Wir unterstützen auch Python 3.12."),
    ("Suportamos Linux.", "Também suportamos macOS."),
    ("The port is 8080.", "In tests the port is 9090."),
    ("We use pnpm.", "On Windows we use npm."),
    ("The limit is 5 requests per second.", "Maybe the limit could be 10 requests per second."),
    ("The deploy day is Tuesday.", "Ben said the deploy day is Thursday."),
    ("The deploy day is Tuesday.", "Is the deploy day Thursday?"),
    ("We use Kafka for events.", "Until 2023 we used RabbitMQ for events."),
    ("The server is in Berlin.", "The server is written in Go."),
    ("The retry limit is 5.", "The retry delay is 5 seconds."),
    ("We moved from Slack to Teams.", "Slack alerts were noisy."),
    ("The search service runs on Heroku.", "The docs are hosted on Netlify."),
]


@pytest.mark.req("facts.corrected")
@pytest.mark.parametrize(("older", "newer"), APPLIED)
def test_what_only_one_can_be_true_of_is_replaced_for_certain(older, newer):
    found = relate(read(newer), read(older))

    assert (found.kind, found.exact) == (Kind.REPLACES, True)
    assert found.reason


@pytest.mark.req("facts.proposed")
@pytest.mark.parametrize(("older", "newer"), PROPOSED)
def test_what_looks_like_a_correction_is_proposed_and_never_certain(older, newer):
    found = relate(read(newer), read(older))

    assert (found.kind, found.exact) == (Kind.REPLACES, False)
    assert 0 < found.confidence < 1


@pytest.mark.req("facts.apart")
@pytest.mark.parametrize(("older", "newer"), ALONE)
def test_look_alikes_have_nothing_to_do_with_each_other(older, newer):
    assert relate(read(newer), read(older)) is None


@pytest.mark.req("facts.repeated")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I prefer dark mode in every editor.", "I always prefer dark mode in every editor."),
        ("Retries stop after five attempts.", "Retries must stop after five attempts."),
        ("Bitte immer make check vor dem Push.", "Immer make check vor dem Push, bitte."),
        ("Log lines are written as JSON.", "Log lines are always written as JSON."),
        ("部署之前必须运行全部测试。", "部署之前都必须运行全部测试。"),
    ],
)
def test_nearly_the_same_words_repeat_what_is_known(older, newer):
    assert relate(read(newer), read(older)).kind is Kind.REPEATS


@pytest.mark.req("facts.repeated")
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Retries stop after 5 attempts.", "Retries stop after 6 attempts."),
        ("Log lines are written as JSON.", "Log lines are never written as JSON."),
        ("Always lint src/app.py before a push.", "Always lint src/api.py before a push."),
        ("Ana reviews the billing service.", "Ben reviews the billing service."),
        (
            "Fenpav retries a failed voucher request 717 times before it falls back to Tevras.",
            "Jampav retries a failed voucher request 717 times before it falls back to Tevras.",
        ),
    ],
)
def test_another_number_name_or_a_negation_is_never_a_repetition(older, newer):
    found = relate(read(newer), read(older))

    assert found is None or found.kind is not Kind.REPEATS


@pytest.mark.req("facts.repeated")
def test_salient_are_numbers_names_in_code_and_capitalised_words_inside_a_sentence():
    assert salient("Deploy src/app.py to Berlin on port 8080, says userId.") == {
        "src/app.py",
        "berlin",
        "8080",
        "userid",
    }


@pytest.mark.req("facts.apart")
@pytest.mark.parametrize("text", ["", "?", "x" * 5000, "a " * 30_000, "\0\ud800 \u200b", "是" * 4000, "は" * 4000])
def test_any_text_is_read_and_does_nothing_to_itself(text):
    assert relate(read(text), read(text)) is None
