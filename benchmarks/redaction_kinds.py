"""Made-up secrets: the formats of vendors, and the places where a password stands.

A format is a string in which ``<an36>`` is 36 random characters of a class; nothing here is a secret until
:func:`fill` has rolled the dice. A *carrier* is a line in which a word of no fixed format is a secret.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

LOWER = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
CLASSES = {
    "an": LOWER + LOWER.upper() + DIGITS,  # letters and digits
    "ln": LOWER + DIGITS,
    "un": LOWER.upper() + DIGITS,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "d": DIGITS,
    "al": LOWER + LOWER.upper(),
    "w": LOWER + LOWER.upper() + DIGITS + "_-",
    "b64": LOWER + LOWER.upper() + DIGITS + "+/",
    "b32": LOWER.upper() + "234567",
}
_SLOT = re.compile(r"<(an|ln|un|hex|HEX|d|al|w|b64|b32)(\d+)>|<(uuid|jwt|pw|word|user|host)>")
WORDS = ("harbour", "copper", "willow", "falcon", "meadow", "quartz", "lantern", "orchid", "pepper", "saddle")
HOSTS = ("db.internal.lan", "10.0.4.17", "pg-2.eu-west-1.rds.amazonaws.com", "cache.corp.net", "localhost")
USERS = ("admin", "app_rw", "deploy", "svc-billing", "root", "maria")


@dataclass(frozen=True, slots=True)
class Secret:
    """A line or block, and the parts of it that must not be seen afterwards."""

    text: str
    parts: tuple[str, ...]


def run(rng: Random, name: str, length: int) -> str:
    """``length`` random characters of a class, always with a digit where the class has one."""
    alphabet = CLASSES[name]
    drawn = [rng.choice(alphabet) for _ in range(length)]
    if any(c in alphabet for c in DIGITS) and length > 1 and not any(c in DIGITS for c in drawn[1:-1]):
        drawn[length // 2] = rng.choice("23456789" if name != "b32" else "234567")
    return "".join(drawn)


def b64(text: str) -> str:
    """The text in base64."""
    return base64.b64encode(text.encode()).decode()


def b64url(value: object) -> str:
    """A JSON value as the parts of a web token have it."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def password(rng: Random) -> str:
    """A password as people and managers make them: five manners, none of them a dictionary word alone."""
    word, other = rng.choice(WORDS), rng.choice(WORDS)
    number = rng.randrange(10, 9999)
    return rng.choice(
        (
            f"{word.capitalize()}{number}{rng.choice('!#*?')}",
            f"{word}-{other}-{number}",
            word.replace("a", "4").replace("o", "0") + rng.choice("!#") + other[:3] + str(number),
            run(rng, "an", rng.choice((12, 16, 20))),
            run(rng, "an", 6) + rng.choice("!#%^*?") + run(rng, "an", 5) + rng.choice("_.-") + run(rng, "an", 3),
        )
    )


def web_token(rng: Random) -> str:
    """A signed web token."""
    head = b64url({"alg": "HS256", "typ": "JWT"})
    return f"{head}.{b64url({'sub': run(rng, 'd', 10), 'iat': rng.randrange(10**9)})}.{run(rng, 'w', 43)}"


def fill(rng: Random, template: str) -> str:
    """The template with every slot drawn."""

    def draw(match: re.Match[str]) -> str:
        if match[1]:
            return run(rng, match[1], int(match[2]))
        if match[3] == "uuid":
            return "-".join(run(rng, "hex", n) for n in (8, 4, 4, 4, 12))
        if match[3] == "jwt":
            return web_token(rng)
        if match[3] == "pw":
            return password(rng)
        return rng.choice({"word": WORDS, "user": USERS, "host": HOSTS}[match[3]])

    return _SLOT.sub(draw, template)


# Each names itself by its form, wherever it stands.
FORMATS = {
    "anthropic": "sk-ant-api03-<w93>AA",
    "anthropic-oauth": "sk-ant-oat01-<w93>AA",
    "openai-project": "sk-proj-<w74>T3BlbkFJ<w74>",
    "openai-legacy": "sk-<an20>T3BlbkFJ<an20>",
    "openai-dotted": "sk-proj-<an9>.<an12>.<an10>",
    "openai-service": "sk-svcacct-<w58>",
    "openrouter": "sk-or-v1-<hex64>",
    "github-classic": "ghp_<an36>",
    "github-fine": "github_pat_<an22>_<an59>",
    "github-app": "ghs_<an36>",
    "github-oauth": "gho_<an36>",
    "gitlab-pat": "glpat-<w20>",
    "gitlab-runner": "glrt-<w20>",
    "gitlab-trigger": "glptt-<hex40>",
    "slack-bot": "xoxb-<d12>-<d12>-<an24>",
    "slack-user": "xoxp-<d12>-<d12>-<d12>-<hex32>",
    "slack-app": "xapp-1-A<un10>-<d13>-<hex64>",
    "slack-webhook": "https://hooks.slack.com/services/T<un10>/B<un10>/<an24>",
    "discord-webhook": "https://discord.com/api/webhooks/<d18>/<w68>",
    "discord-bot": "MT<an22>.G<an5>.<w38>",
    "aws-key-id": "AKIA<b3216>",
    "aws-temporary-id": "ASIA<b3216>",
    "google-api": "AIza<w35>",
    "google-oauth-secret": "GOCSPX-<w28>",
    "google-access": "ya29.a0<w120>",
    "google-refresh": "1//0<w60>",
    "azure-client-secret": "<an3>8Q~<an34>",
    "azure-storage": "AccountKey=<b6486>==",
    "digitalocean": "dop_v1_<hex64>",
    "stripe-live": "sk_live_<an24>",
    "stripe-restricted": "rk_live_<an40>",
    "stripe-webhook": "whsec_<an32>",
    "square": "sq0atp-<w22>",
    "shopify": "shpat_<hex32>",
    "twilio": "SK<hex32>",
    "sendgrid": "SG.<w22>.<w43>",
    "mailgun": "key-<hex32>",
    "mailchimp": "<hex32>-us14",
    "npm": "npm_<an36>",
    "pypi": "pypi-AgEIcHlwaS5vcmc<w100>",
    "rubygems": "rubygems_<hex48>",
    "crates": "cio<an32>",
    "docker-hub": "dckr_pat_<w27>",
    "huggingface": "hf_<al34>",
    "replicate": "r8_<an37>",
    "groq": "gsk_<an52>",
    "xai": "xai-<an80>",
    "perplexity": "pplx-<an48>",
    "nvidia": "nvapi-<w64>",
    "databricks": "dapi<hex32>",
    "vault": "hvs.<w95>",
    "terraform": "<an14>.atlasv1.<w67>",
    "pulumi": "pul-<hex40>",
    "doppler": "dp.pt.<an43>",
    "onepassword": "ops_eyJ<an260>",
    "age": "AGE-SECRET-KEY-1<un58>",
    "tailscale": "tskey-auth-k<an16>-<an32>",
    "grafana": "glsa_<an32>_<HEX8>",
    "newrelic": "NRAK-<un27>",
    "sentry": "sntryu_<hex64>",
    "linear": "lin_api_<an40>",
    "notion": "ntn_<d11><an35>",
    "figma": "figd_<w40>",
    "airtable": "pat<an14>.<hex64>",
    "atlassian": "ATATT3<w186>",
    "postman": "PMAK-<hex24>-<hex34>",
    "supabase": "sbp_<hex40>",
    "planetscale": "pscale_tkn_<w43>",
    "fly": "fm2_<b64120>",
    "telegram": "<d10>:AA<w33>",
    "facebook": "EAAC<an160>",
    "mapbox": "sk.eyJ<an80>.<an22>",
    "hubspot": "pat-na1-<uuid>",
    "langsmith": "lsv2_pt_<hex32>_<hex10>",
    "pinecone": "pcsk_<an6>_<an60>",
    "buildkite": "bkua_<hex40>",
    "circleci": "CCIPAT_<an22>_<hex40>",
    "web-token": "<jwt>",
    "netlify": "nfp_<an36>",
    "sonar": "squ_<hex40>",
}

# The word in «» is the secret; it has no form of its own, the place gives it away.
CARRIERS: dict[str, tuple[str, ...]] = {
    "mysql-p": ("mysql -u <user> -p«<pw>» shop", "mysqldump -h <host> -u<user> -p'«<pw>»' --all-databases > a.sql"),
    "password-flag": ("tool login --user <user> --password «<pw>»", 'deployctl --password="«<pw>»" --host <host>'),
    "other-flags": (
        "vault login --token «<an26>»",
        "snapctl push --api-key «<an32>» ./build",
        "redis-cli -h <host> -a «<pw>»",
    ),
    "curl-user": ("curl -u <user>:«<pw>» https://<host>/v1", "curl -s --user '<user>:«<pw>»' https://<host>/x"),
    "curl-header": (
        'curl -H "Authorization: Bearer «<an40>»" https://<host>/',
        "curl -H 'X-Api-Key: «<ln32>»' <host>/a",
    ),
    "sshpass": ("sshpass -p «<pw>» ssh <user>@<host> uptime", "sshpass -p '«<pw>»' scp a.tgz <user>@<host>:/srv"),
    "docker-login": (
        "docker login -u <user> -p «<pw>» <host>",
        "echo «<pw>» | docker login -u <user> --password-stdin",
    ),
    "url-postgres": (
        "postgres://<user>:«<pw>»@<host>:5432/app",
        "postgresql+asyncpg://<user>:«<an20>»@<host>/app?ssl=true",
    ),
    "url-mysql": ("mysql://<user>:«<pw>»@<host>:3306/shop", "mariadb+pymysql://<user>:«<an16>»@<host>/shop"),
    "url-mongo": (
        "mongodb+srv://<user>:«<pw>»@cluster0.ab1cd.mongodb.net/app",
        "mongodb://<user>:«<an18>»@<host>:27017",
    ),
    "url-redis": ("redis://:«<an24>»@<host>:6379/0", "rediss://default:«<pw>»@<host>:6380"),
    "url-amqp": ("amqps://<user>:«<pw>»@<host>/vhost", "amqp://<user>:«<an14>»@<host>:5672"),
    "url-http": ("https://<user>:«<pw>»@<host>/repo.git", "git clone https://oauth2:«<an20>»@git.corp.net/a/b.git"),
    "url-other": ("smtp://<user>:«<pw>»@<host>:587", "sftp://<user>:«<pw>»@<host>/in", "ldaps://<user>:«<pw>»@<host>"),
    "export-unquoted": (
        "export DB_PASSWORD=«<pw>»",
        "export STRIPE_SECRET=«<an28>»; make run",
        "set -x PGPASSWORD «<pw>»",
    ),
    "export-quoted": ('export API_TOKEN="«<an32>»"', "export SMTP_PASS='«<pw>»'", '$env:DB_PASSWORD = "«<pw>»"'),
    "dotenv": ("DB_PASS=«<pw>»\nDB_HOST=<host>", "JWT_SECRET=«<b6443>»=\nPORT=8080", "SESSION_SECRET: «<hex48>»"),
    "inline-env": ("PGPASSWORD=«<pw>» psql -h <host> -U <user>", "MYSQL_PWD=«<pw>» mysql -u <user>"),
    "json-field": ('{"host": "<host>", "password": "«<pw>»"}', '{"client_secret":"«<an40>»","client_id":"web"}'),
    "yaml-field": ("db:\n  user: <user>\n  password: «<pw>»", "auth:\n  token: '«<an36>»'\n  host: <host>"),
    "toml-field": ('[db]\nuser = "<user>"\npassword = "«<pw>»"', 'api_key = "«<an32>»"'),
    "ini-field": ("[client]\nuser=<user>\npassword=«<pw>»", "[smtp]\nusername = <user>\npass = «<pw>»"),
    "xml-field": (
        "<server><username>ci</username><password>«<pw>»</password></server>",
        '<add key="ApiKey" value="«<an32>»" />',
    ),
    "code-argument": (
        'client = Client(host="<host>", password="«<pw>»")',
        "connect({ user: '<user>', password: '«<pw>»' })",
    ),
    "code-setter": (
        'config.setPassword("«<pw>»");',
        'os.environ["DB_PASSWORD"] = "«<pw>»"',
        'const apiKey = "«<an32>»";',
    ),
    "sql-user": ("CREATE USER app IDENTIFIED BY '«<pw>»';", "ALTER ROLE app WITH LOGIN PASSWORD '«<pw>»';"),
    "netrc": ("machine <host> login <user> password «<pw>»", "machine <host>\n  login <user>\n  password «<an20>»"),
    "pgpass": ("<host>:5432:app:<user>:«<pw>»", "<host>:*:*:<user>:«<an16>»"),
    "kube-token": (
        "users:\n- name: ci\n  user:\n    token: «<an60>»",
        "    client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0t<b64200>»",
    ),
    "kube-env": ("- name: DB_PASSWORD\n  value: «<pw>»", '{"name": "API_TOKEN", "value": "«<an32>»"}'),
    "basic-header": ("Authorization: Basic «@b64(<user>:<pw>)»", "> authorization: Basic «@b64(<user>:<an16>)»"),
    "bearer-header": ("Authorization: Bearer «<an48>»", '"authorization": "Bearer «<w64>»"'),
    "key-header": ("X-Api-Key: «<an32>»", "PRIVATE-TOKEN: «<an20>»", '"x-goog-api-key": "«<an39>»"'),
    "docker-auth": ('{"auths": {"<host>": {"auth": "«@b64(<user>:<pw>)»"}}}', '"auth": "«@b64(<user>:<an20>)»"'),
    "cookie": (
        "Cookie: theme=dark; session=«<an40>»; lang=en",
        "> cookie: sessionid=«<ln32>»",
        "curl -b 'sid=«<an32>»' <host>",
    ),
    "set-cookie": (
        "Set-Cookie: connect.sid=s%3A«<w32>.<an43>»; Path=/; HttpOnly",
        "set-cookie: auth_token=«<an48>»; Secure",
    ),
    "sas-url": (
        "https://acc.blob.core.windows.net/c/f.zip?sv=2023-11-03&se=2025-01-01&sr=b&sp=r&sig=«<an40>%2B<an2>%3D»",
    ),
    "presigned-url": (
        "https://b.s3.amazonaws.com/k?X-Amz-Credential=c&X-Amz-Date=20250101T000000Z&X-Amz-Signature=«<hex64>»",
        "https://storage.googleapis.com/b/o?X-Goog-Expires=900&X-Goog-Signature=«<hex128>»",
    ),
    "query-token": (
        "GET /v1/me?access_token=«<an40>»&x=1 HTTP/1.1",
        "https://<host>/hook?token=«<an32>»",
        "wss://<host>/?api_key=«<ln32>»",
    ),
    "ado-string": (
        "Server=<host>;Database=app;User Id=<user>;Password=«<pw>»;",
        "Endpoint=sb://x/;SharedAccessKey=«<b6443>=»",
    ),
    "aws-secret": (
        "aws_secret_access_key = «<b6440>»",
        "AWS_SECRET_ACCESS_KEY=«<b6440>»",
        '"SecretAccessKey": "«<b6440>»"',
    ),
    "aws-session": ("AWS_SESSION_TOKEN=«IQoJb3JpZ2lu<b64220>==»", 'aws_session_token = "«FwoGZXIvYXdz<b64200>=»"'),
    "one-time-seed": ("otpauth://totp/App:<user>?secret=«<b3232>»&issuer=App", "TOTP_SECRET=«<b3216>»"),
    "wireguard": ("[Interface]\nPrivateKey = «<b6443>=»\nAddress = 10.8.0.2/24", "PresharedKey = «<b6443>=»"),
    "openssl-pass": ("openssl rsa -in k.pem -passin pass:«<pw>»", "7z x -p«<pw>» backup.7z", "unzip -P «<pw>» a.zip"),
    "stdin-pipe": ("echo '<user>:«<pw>»' | sudo chpasswd", "echo «<pw>» | sudo -S apt-get update"),
    "login-line": ("log in as <user> / «<pw>» on <host>", "creds: <user> «<pw>»", "user <user>, pass «<pw>»"),
    "spoken-english": (
        "the password is «<pw>», please keep it",
        "my passphrase is «<pw>»",
        "use «<pw>» as the password",
    ),
    "spoken-german": ("das Passwort lautet «<pw>»", "Mein Kennwort ist «<pw>».", "Passwort: «<pw>»"),
    "spoken-romance": (
        "le mot de passe est «<pw>»",
        "la contraseña es «<pw>»",
        "a senha é «<pw>»",
        "la password è «<pw>»",
    ),
    "spoken-slavic": ("пароль: «<pw>»", "пароль от базы «<pw>»", "hasło to «<pw>»", "heslo je «<pw>»"),
    "spoken-asian": ("密码是 «<pw>»", "パスワードは「«<pw>»」です", "비밀번호는 «<pw>» 입니다", "密碼\uff1a«<pw>»"),
    "spoken-other": ("şifre: «<pw>»", "het wachtwoord is «<pw>»", "lösenordet är «<pw>»", "كلمة المرور هي «<pw>»"),
    "markdown-field": ("| Password | `«<pw>»` |", "- **Password:** `«<pw>»`", "**API key**: `«<an32>»`"),
    "private-tag": ("<private>«<pw>»</private>", "<PRIVATE>call <user>, «<pw>»</Private>"),
}
