"""What looks like a secret and is none comes back byte for byte."""

from __future__ import annotations

import pytest

from perdure.safety.redaction import default_redactor

pytestmark = pytest.mark.req("safety.survivors")

SHA = "9fceb02d0ae598e95dc970b74767f19372d61af8"
UUID = "550e8400-e29b-41d4-a716-446655440000"
B64 = "Vn3JqYx0kPzqk1mQ8r7sT6uW5vX4yZ3aB2cD1eF0gH9iJ8kL7mN6oP5qR4sT3uV2wX1yZ0aB"

SURVIVORS = {
    "identifiers": [
        f"commit {SHA}\nmerge {SHA[:7]}..{SHA[7:14]}",
        f"git show {SHA} -- src/auth/token.py",
        f'{{"uuid":"{UUID}","parentUuid":"{UUID}","sessionId":"{UUID}"}}',
        '{"type":"tool_use","id":"toolu_01A2b3C4d5E6f7G8h9J0k1L2","name":"Read"}',
        '{"id":"msg_01XyZ2b3C4d5E6f7G8h9J0k","requestId":"req_011CQx2b3C4d5E6f7G8h9J0"}',
        "call_a1B2c3D4e5F6g7H8i9J0k1L2 run_a1B2c3D4e5F6g7H8 resp_68a1b2c3d4e5f60718293a4b5c6d7e8f",
        f"trace_id={SHA[:32]} span_id={SHA[:16]} request-id: {UUID}",
        f'"signature":"EqQBCkYIBxgC{B64}"',
        f"token for {UUID} in {SHA}",
        "order 4711, key copper-4711, primary key = 12345678, cache_key='user-profile-v12'",
        f"discord: 123456789012345678, netlify deploy: {SHA}, heroku app: {UUID}",
    ],
    "hashes": [
        f'"integrity": "sha512-{B64}{B64[:14]}=="',
        f"sha256:{SHA}{SHA[:24]}",
        f"golang.org/x/net v0.34.0 h1:{B64[:43]}=",
        f"--hash=sha256:{SHA}{SHA[:24]}",
        f'ETag: "{SHA[:32]}"',
        f"key: node-modules-Linux-{SHA}{SHA[:24]}",
    ],
    "public keys": [
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{B64[:43]} ana@laptop",
        f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ{B64 * 5} deploy@ci",
        f"public_key: {B64[:43]}=\nPublicKey = {B64[:43]}=",
        f"SHA256:{B64[:43]} ana@laptop (ED25519)",
        f"|1|{B64[:27]}=|{B64[:27]}= ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{B64[:43]}",
    ],
    "code": [
        "def reset(user: User, password: str, token: str | None = None) -> bool:",
        'api_key = os.environ["API_KEY"]\nsecret = os.getenv("CLIENT_SECRET", "")',
        "const token = await getAccessToken(user.id);\nconst apiKey = process.env.API_KEY;",
        "token = get_token()\npassword = getpass.getpass('Password: ')\nPASSWORD = read(path)",
        "self.password = password\nself.token = token or self._load_token()",
        "password: Mapped[str] = mapped_column(String(255))\napi_key: SecretStr | None = None",
        "if token == expected_token and not token.is_expired():",
        "headers = {'Authorization': f'Bearer {token}', 'X-Api-Key': api_key}",
        "public String getAccessToken() { return this.accessToken; }",
        "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')\nmax_tokens=4096",
        "z.object({ password: z.string().min(8).max(72), token: z.string().uuid() })",
        "'password' => 'required|string|min:8|confirmed',",
        '<input type="password" name="password" placeholder="Your password">',
        "CREATE TABLE users (id uuid PRIMARY KEY, password varchar(255) NOT NULL, api_token text);",
        'TOKEN_URL = "https://auth.example.org/oauth/token"\nTOKEN_EXPIRY_SECONDS = 3600',
        "password:\n  type: string\n  format: password\n  minLength: 8",
        'json_token = r"[^\\W\\d]\\w*"\nuser_pass = "%s:%s" % (user, word)',
        "private_key: ed25519.Ed25519PrivateKey = ed25519.Ed25519PrivateKey.generate()",
        "Class Token(namedtuple('Token', 'type string start end line'))",
        "for key, value in sorted(headers.items()): print(key, value)",
    ],
    "prose": [
        "The password reset flow sends a token by mail; the token is valid for ten minutes.",
        "Where is the secret stored? The password is wrong, and the token is expired.",
        "The password is bcrypt-hashed, the key is base64-encoded, the token is a UUIDv4.",
        "The password was changed on 2025-03-11 at 10:20, 98.5% of tokens expired.",
        "You need an API key: create one in the dashboard.",
        "pass `dtype=int64` to the function and use basic auth for the health check",
        "Das Passwort ist falsch, Passwort vergessen? Le mot de passe est incorrect.",
        "пароль не подходит, нужно сбросить пароль. 密码错误，请重新输入。",
        "log in as admin and open the settings page; sign in with GitHub",
        "Accept cookies? The session cookie is set after login.",
        "passed=400, pass=12, failed: 0, pass rate: 98.5%",
    ],
    "placeholders": [
        "export API_KEY=<your-api-key>\nexport TOKEN=$TOKEN\npassword=<...>",
        "password=${DB_PASSWORD}\napi_key: {{ vault_api_key }}\ntoken: $(cat token.txt)",
        "OPENAI_API_KEY=sk-...\nGITHUB_TOKEN=ghp_" + "x" * 36,
        "password=changeme\nsecret: your-secret-here\nAPI_KEY=YOUR_API_KEY",
        "curl -H 'Authorization: Bearer $TOKEN' -u \"$USER:$PASS\" https://api.example.org",
        "postgres://user:${DB_PASS}@localhost:5432/app postgresql://<user>:<password>@host/db",
        "mysql -u root -p\nEnter password:\nmysql -u root -p$MYSQL_PWD app",
        "token: ${{ secrets.GITHUB_TOKEN }}\npassword: ********\nsecret=[REDACTED:credential]",
        'sshpass -p "$PW" ssh a@b\ntool --password <password> --token "${TOKEN}"',
        "AWS_SECRET_ACCESS_KEY=" + "x" * 40 + "\nPASSWORD=\nSECRET=null",
        "https://example.org/cb?token=TOKEN&sig={signature}&key=%s",
    ],
    "logs": [
        "Set-Cookie: theme=dark; Path=/; Max-Age=31536000; SameSite=Lax",
        'WWW-Authenticate: Bearer realm="api", error="invalid_token"',
        "Access-Control-Allow-Headers: Authorization, X-Api-Key, Content-Type",
        '{"auth":"ok","tokens":{"prompt":812,"completion":93},"input_tokens":1204}',
        "http://localhost:8080/a/b@2x.png https://registry.npmjs.org/@types/node/-/node-22.10.2.tgz",
        "ssh -p 2222 deploy@10.0.0.4 'mkdir -p /srv/app-v2.1'\ncp -p a.txt b.txt\npsql -p 5432 -U postgres",
        "docker run --rm -it -p 8080:80 -e NODE_ENV=production nginx:1.27-alpine",
        "redis://localhost:6379/0 ssh://git@host:22/a.git mailto:ana@example.org",
        f"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{B64 * 4}=",
        f"//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz{B64}",
        "%sudo ALL=(root) NOPASSWD: /bin/systemctl restart nginx",
        "#define CKK_SEED 0x0000002FUL /* was 2A */",
    ],
}


@pytest.mark.parametrize("text", [text for texts in SURVIVORS.values() for text in texts])
def test_it_comes_back_as_the_same_object(text):
    assert default_redactor().redact(text).text is text


@pytest.mark.parametrize("kind", SURVIVORS)
def test_it_survives_inside_a_record_too(kind):
    record = repr({"content": "\n".join(SURVIVORS[kind])})

    assert default_redactor().clean(record) is record
