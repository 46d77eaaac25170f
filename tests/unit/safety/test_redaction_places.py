"""Secrets without a form: the place gives them away. The word between « and » is the secret."""

from __future__ import annotations

import re

import pytest

from perdure.safety.redaction import default_redactor

pytestmark = pytest.mark.req("safety.redact-places")

COMMANDS = """
mysql -u root -p«Meadow58!x» shop
mysqldump -h db --password='«Meadow58!x»' shop
sshpass -p «Meadow58!x» ssh a@b
sshpass -p«Meadow58!x» ssh a@b
curl -u ana:«Meadow58!x» https://h/
curl -uana:«Meadow58!x» https://h/
curl --user 'ana:«Meadow58!x»' https://h/
curl -H 'X-Api-Key: «q8fh2kd9s0vm3nx7»' https://h/
curl --cookie 'sid=«q8fh2kd9s0vm3nx7q8fh2kd9s0vm3nx7»' https://h/
curl -b 'sid=«q8fh2kd9s0vm3nx7q8fh2kd9s0vm3nx7»' https://h/
redis-cli -h h -a «Meadow58x» ping
docker login -u ana -p «Meadow58!x» h
echo «Meadow58!x» | docker login -u ana --password-stdin
echo 'root:«Meadow58!x»' | sudo chpasswd
openssl rsa -passin pass:«Meadow58x» -in k
openssl enc -aes-256-cbc -k «Meadow58x» -in a
7z x -p«Meadow58x» a.7z
unzip -P «Meadow58x» a.zip
ldapsearch -D cn=a -w «Meadow58x» -b dc=x
smbclient //s/x -U ana%«Meadow58x»
tool --token «q8fh2kd9s0vm3nx7» push
kubectl create secret generic d --from-literal=password=«Meadow58x»
aws configure set aws_secret_access_key «wJ7rXUtnFEMI2K7MDENGbPxRfiCY9zzzKEYabcd1»
export STRIPE_SECRET=«q8fh2kd9s0vm3nx7»; make
export SMTP_PASS='«Meadow58!x»'
export APP_SECRET="«correct horse 7 staple»"
set -x DB_PASSWORD «Meadow58x»
PGPASSWORD=«letmein» psql -h h
$env:DB_PASSWORD = "«Meadow58!x»"
ENV DB_PASSWORD «Meadow58x»
export SSHPASS=«Meadow58!x»
heroku config:set SECRET_KEY_BASE=«3f9d0c1b2a4e5f60718293a4b5c6d7e8»
"""
FILES = """
DB_PASSWORD=«letmein»
jwt_secret: «q8fh2kd9s0vm3nx7»
spring.datasource.password=«Meadow58x»
"password": "«Meadow58!x»"
"password": "«Mea\\"dow58!x»"
"access_token": "«{long}»"
CUSTOM_SIGNING_KEY="«q8fh2kd9s0vm3nx7q8fh»"
_auth=«q8fh2kd9s0vm3nx7q8fh2kd9»
smtp.pass = «Meadow58!x»
secret_id=«5f1e2d3c-1234-4abc-9def-0123456789ab»
recovery phrase: «abandon ability able about above absent absorb abstract absurd abuse access accident»
{\\"client_secret\\": \\"«q8fh2kd9s0vm3nx7»\\"}
password = "«Meadow58!x»"
<password>«Meadow58x»</password>
<add key="ApiKey" value="«q8fh2kd9s0vm3nx7»" />
<string name="api_key">«q8fh2kd9s0vm3nx7»</string>
{"name": "API_TOKEN", "value": "«q8fh2kd9s0vm3nx7»"}
variable "db_password" { default = "«Meadow58x»" }
password: str = "«Meadow58x»"
client = Client(password="«Meadow58!x»")
config.setPassword("«Meadow58!x»");
os.environ["DB_PASSWORD"] = "«Meadow58!x»"
define('DB_PASSWORD', '«Meadow58x»');
CREATE USER a IDENTIFIED BY '«Meadow58x»';
ALTER ROLE a WITH PASSWORD '«Meadow58x»';
machine h login ana password «Meadow58x»
h:5432:app:ana:«Meadow58x»
{"auths": {"h": {"auth": "«YW5hOk1lYWRvdzU4IXg=»"}}}
//registry.npmjs.org/:_authToken=«a1b2c3d4-e5f6-7890-abcd-ef0123456789»
PrivateKey = «4CrcVwJ3WnU9Zb0mG5tQ2xY8sK1dR7fH6jL3pN9vA0E=»
TOTP_SECRET=«JBSWY3DPEHPK3PXP»
otpauth://totp/a:b?secret=«JBSWY3DPEHPK3PXPJBSW»&issuer=a
client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFb3dJQkFBS0NBUUVB»
{"kty": "EC", "x": "abc", "d": "«870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE»"}
mnemonic: «abandon ability able about above absent absorb abstract absurd abuse access accident»
| Password | `«Meadow58!x»` |
- **Password:** `«Meadow58!x»`
**API key**: `«q8fh2kd9s0vm3nx7q8fh2kd9»`
"""
LINES = """
postgres://ana:«Meadow58!x»@h:5432/app
postgresql://ana:«p@ss!word9»@h/app
mongodb+srv://ana:«Meadow58x»@c.example.net/app
redis://:«Meadow58x»@h:6379/0
amqp://ana:«ab/cd+ef9»@h/v
https://ana:«Meadow58x»@h/r.git
https://«0123456789abcdef0123456789abcdef01234567»@h/r.git
jdbc:oracle:thin:scott/«tig3rTig3r»@//h:1521/x
Server=h;User Id=sa;Password=«Meadow58!x»;Encrypt=true
AccountName=x;AccountKey=«Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq==»;Endpoint=y
https://a.blob.core.windows.net/c?sv=2023&sr=b&sig=«q8fh2kd9s0vm3nx7Q8FH2KD9%3D»
https://b.s3.amazonaws.com/k?X-Amz-Date=20250101T0&X-Amz-Signature=«9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c»
GET /me?access_token=«q8fh2kd9s0vm3nx7»&x=1 HTTP/1.1
Authorization: Basic «YW5hOk1lYWRvdzU4IXg=»
authorization: Bearer «q8fh2kd9s0vm3nx7.q8fh»
Authorization: token «d7a8fbb307d7809469ca9abcb0082e4f8d5651e4»
PRIVATE-TOKEN: «q8fh2kd9s0vm3nx7»
Cookie: theme=dark; session=«q8fh2kd9s0vm3nx7q8fh»; lang=en
Set-Cookie: connect.sid=«q8fh2kd9s0vm3nx7q8fh»; Path=/; HttpOnly
cookies = {"sessionid": "«q8fh2kd9s0vm3nx7q8fh»"}
"""
SPOKEN = """
the password is «hunter2!x», please keep it
The root password is "«correct horse battery staple»"
password for the staging db: «Meadow58!x»
my passphrase is «copper-harbour-7200»
use «Meadow58!x» as the password
user ana, pass «Meadow58!x»
log in as ana / «Meadow58!x» on h
sign in as ana with «Meadow58!x»
credentials are ana:«Meadow58!x»
my api key is «9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c»
das Passwort lautet «Meadow58!x»
Mein Kennwort ist «Meadow58!x».
Zugangsdaten: ana / «Meadow58!x»
le mot de passe du serveur est «Meadow58!x»
mdp : «Meadow58!x»
la contraseña es «Meadow58!x»
la password del server è «Meadow58!x»
a senha é «Meadow58!x»
пароль от базы «Meadow58!x»
hasło to «Meadow58!x»
heslo je «Meadow58!x»
密码是 «Meadow58!x»
数据库密码是«Meadow58!x»，别忘了
パスワードは「«Meadow58!x»」です
비밀번호는 «Meadow58!x» 입니다
şifre: «Meadow58!x»
het wachtwoord is «Meadow58!x»
lösenordet är «Meadow58!x»
كلمة المرور هي «Meadow58!x»
"""


def lines(block):
    return block.strip().splitlines()


@pytest.mark.parametrize("line", [*lines(COMMANDS), *lines(FILES), *lines(LINES), *lines(SPOKEN)])
def test_the_secret_goes_and_all_around_it_stays(line):
    line = line.replace("{long}", "q8fh2kd9s0vm3nx7" * 40)
    before, secret, after = re.fullmatch("(.*)«(.*)»(.*)", line).groups()

    cleaned = default_redactor().clean(before + secret + after)

    kind = re.escape("[REDACTED:") + r"[a-z0-9-]+\]"
    assert re.fullmatch(re.escape(before) + kind + r"\.?" + re.escape(after.removeprefix(".")), cleaned), cleaned


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("- name: DB_PASSWORD\n  value: Meadow58x", ["Meadow58x"]),
        ("export SIGNING_KEY=$(cat <<'EOF'\nq8fh2kd9s0vm\n3nx7q8fh2kd9\nEOF\n)", ["q8fh2kd9s0vm", "3nx7q8fh2kd9"]),
        ("export API_TOKEN=q8fh2kd9s0vm\\\n3nx7q8fh2kd9\nmake", ["q8fh2kd9s0vm", "3nx7q8fh2kd9"]),
        ('export APP_SECRET="q8fh2kd9s0vm\n3nx7q8fh2kd9"', ["q8fh2kd9s0vm", "3nx7q8fh2kd9"]),
        ("secret: |\n  q8fh2kd9s0vm3nx7\nnext: 1", ["q8fh2kd9s0vm3nx7"]),
        ('{"command": "export TOKEN=q8fh2kd9s0vm3nx7\\nmake"}', ["q8fh2kd9s0vm3nx7"]),
    ],
)
def test_a_secret_over_several_lines_goes_whole(text, parts):
    cleaned = default_redactor().clean(text)

    assert [part for part in parts if part in cleaned] == []
    assert "[REDACTED:credential]" in cleaned


def test_user_and_host_of_an_address_stay():
    cleaned = default_redactor().clean("postgres://ana:Meadow58!x@db.corp.net:5432/app?ssl=true")

    assert cleaned == "postgres://ana:[REDACTED:url-password]@db.corp.net:5432/app?ssl=true"


STAYING = """
kubectl apply --key ./tls/server-2.pem --cert ./tls/server-2.crt
tool --token --verbose
tool --password-file /run/secrets/db-2
echo done; sudo -S true
echo hello | sudo -S tee /etc/motd
first_pass = 12.5
min_password = 12
next_token=q8fh2kd9s0vm3nx7
publicToken: q8fh2kd9s0vm3nx7
auth: enabled
trace_key=9fceb02d-0ae5-98e9-5dc9-70b74767f193
routing_key = "orders.created.v2.eu-west-1"
Authorization: Basic realm
basic YmFzaWM= authentication
LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0tLS0t
https://short@h/ https://user:pw@h/ http://h:8080/x@y
Cookie: lang=en; theme=dark; seen=true
set -x
env LANG=C make
mysql -p
curl -u ana https://h/
curl -b cookies.txt https://h/
pass `--dtype=int64` on
a token - short
use it as the password
credentials are stored elsewhere
"""


@pytest.mark.req("safety.survivors")
@pytest.mark.parametrize("line", lines(STAYING))
def test_the_same_place_without_a_secret_stays(line):
    assert default_redactor().clean(line) is line
