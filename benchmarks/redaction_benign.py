"""Texts that only look like secrets, in the shapes of real logs, code and conversations."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from benchmarks.redaction_kinds import fill
from benchmarks.redaction_set import Sample, contexts

if TYPE_CHECKING:
    from collections.abc import Iterator

BENIGN: dict[str, tuple[str, ...]] = {
    "git": (
        "commit <hex40>\nAuthor: Maria <maria@example.org>\nDate: Tue Mar 4 10:11:12 2025\n\n    Fix the token refresh",
        "<hex7> (HEAD -> main, origin/main) Merge branch 'auth-tokens' into main",
        "index <hex7>..<hex7> 100644\n--- a/src/password_reset.py\n+++ b/src/password_reset.py",
        "Fast-forwarded main to <hex40>.",
        "git checkout <hex40> -- config/secrets.example.yml",
    ),
    "ids": (
        '{"type":"tool_use","id":"toolu_01<an22>","name":"Read","input":{"file_path":"/srv/app/auth/token.py"}}',
        '{"id":"msg_01<an22>","type":"message","role":"assistant","usage":{"input_tokens":1204,"output_tokens":88}}',
        '{"parentUuid":"<uuid>","sessionId":"<uuid>","requestId":"req_011<an21>","uuid":"<uuid>"}',
        "call_<an24> returned 0; response resp_<hex48>, run run_<an24>",
        '{"tool_use_id":"toolu_01<an22>","type":"tool_result","content":"ok"}',
        "trace_id=<hex32> span_id=<hex16> request-id: <uuid>",
        '"signature":"EqQBCkYIBxgC<b64120>"',
        "order <uuid> moved to state PAID, key <word>-<d6>",
    ),
    "hashes": (
        '"integrity": "sha512-<b6486>=="',
        "golang.org/x/net v0.34.0 h1:<b6443>=",
        "--hash=sha256:<hex64>",
        "sha256:<hex64>: Pull complete",
        "Digest: sha256:<hex64>\nStatus: Image is up to date for postgres:17",
        "<hex64>  dist/app-1.2.0.tar.gz",
        'ETag: "<hex32>"',
        "md5 (<word>.bin) = <hex32>",
        'resolved "https://registry.npmjs.org/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz#<hex40>"',
        "cache key: node-modules-Linux-<hex64>",
        "primary key = <d8>, foreign_key: user_id, sort_key=created_at",
    ),
    "public": (
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<b6443> maria@laptop",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ<b64340> deploy@ci",
        "-----BEGIN PUBLIC KEY-----\n<b6464>\n<b6464>\n<b6440>\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\n<b6464>\n<b6464>\n<b6464>\n<b6431>=\n-----END CERTIFICATE-----",
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n<b6464>\n<b6464>\n=<b644>\n-----END PGP PUBLIC KEY BLOCK-----",
        "-----BEGIN PGP SIGNATURE-----\n\n<b6464>\n<b6464>\n-----END PGP SIGNATURE-----",
        "certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM<b64200>",
        "SHA256:<b6443> maria@laptop (ED25519)",
        "public_key: <b6443>=",
        "PublicKey = <b6443>=\nAllowedIPs = 10.8.0.0/24",
        "|1|<b6427>=|<b6427>= ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<b6443>",
    ),
    "code": (
        "def reset_password(user: User, password: str, token: str | None = None) -> bool:",
        'api_key = os.environ["API_KEY"]\nsecret = os.getenv("CLIENT_SECRET", "")',
        "const token = await getAccessToken(user.id);\nconst apiKey = process.env.API_KEY;",
        "self.password = password\nself.token = token or self._load_token()",
        "password: Mapped[str] = mapped_column(String(255))\napi_key: SecretStr | None = None",
        "if token == expected_token and not token.is_expired():",
        "headers = {'Authorization': f'Bearer {token}', 'X-Api-Key': api_key}",
        "secret_key = config.get('secret_key')  # read from the vault",
        'password = getpass.getpass("Password: ")',
        "public String getAccessToken() { return this.accessToken; }",
        'type Token struct {\n\tAccess string `json:"access_token"`\n\tRefreshToken string `json:"refresh_token"`\n}',
        "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')\nmax_tokens=4096, temperature=0.2",
        "test_password_reset_sends_email_with_token PASSED",
        "password_hash = hash_password(form.password.data)",
        "z.object({ password: z.string().min(8).max(72), token: z.string().uuid() })",
        "'password' => 'required|string|min:8|confirmed',",
        '<input type="password" name="password" id="login-password" placeholder="Your password">',
        "assert response.json()['error'] == 'invalid_token'",
        "from cryptography.hazmat.primitives.serialization import load_pem_private_key",
        'if not line.startswith("-----BEGIN RSA PRIVATE KEY-----"):\n    raise ValueError("no key")',
        'TOKEN_URL = "https://auth.example.org/oauth/token"\nTOKEN_EXPIRY_SECONDS = 3600',
        "key = f'{prefix}:{user_id}'; cache_key = 'user-profile-settings-v12'",
        "for key, value in sorted(headers.items()): print(key, value)",
        'class="sk-spinner sk-spinner-double-bounce-animated-large"',
        "pk_test = Model.objects.get(pk=pk)\nsk_learn_pipeline_builder_with_scaler_2 = None",
        "hf_hub_download(repo_id='sentence-transformers/all-MiniLM-L6-v2', filename='config.json')",
        "let auth = try await Authenticator.shared.authenticate(with: credentials)",
        "password:\n  type: string\n  format: password\n  minLength: 8",
        "CREATE TABLE users (id uuid PRIMARY KEY, password varchar(255) NOT NULL, api_token text);",
        "SECRET_KEY = env('SECRET_KEY')\nDATABASE_URL = env.db('DATABASE_URL')",
    ),
    "prose": (
        "The password reset flow sends a token by mail; the token is valid for ten minutes.",
        "Where is the secret stored? The password is wrong, and the token is expired.",
        "You need an API key: create one in the dashboard and put it into the environment.",
        "Passwords must have at least 12 characters, a digit and a symbol.",
        "I forgot my password again, so the login page says: password incorrect.",
        "The key insight is that authentication happens before authorization.",
        "Das Passwort ist falsch, bitte noch einmal versuchen. Passwort vergessen?",
        "Le mot de passe est incorrect. La contraseña es obligatoria.",
        "пароль не подходит, нужно сбросить пароль через письмо",
        "密码错误\uff0c请重新输入。パスワードを忘れた場合はこちら。",
        "Should the bearer token go into a cookie or into the Authorization header?",
        "Accept cookies? The session cookie is set after login; see cookie policy.",
        "Use basic auth for the health check, and rotate secrets every 90 days.",
        "Turn on the secret scanning of the repository; 3 tokens: found none.",
        "he logged in as admin and changed the password to something longer",
        "Private key authentication is preferred over password authentication (publickey,password).",
        "the pass rate is 98.5%, passing: 412, passed=400, pass=12",
        "Key: value pairs are separated by a colon. Token: a unit of text.",
    ),
    "placeholders": (
        "export API_KEY=<your-api-key>\nexport TOKEN=$TOKEN",
        "password=${DB_PASSWORD}\napi_key: {{ vault_api_key }}\ntoken: $(cat token.txt)",
        "OPENAI_API_KEY=sk-...\nGITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "password=changeme\nsecret: your-secret-here\nAPI_KEY=YOUR_API_KEY",
        "curl -H 'Authorization: Bearer $TOKEN' -u \"$USER:$PASS\" https://api.example.org",
        "postgres://user:${DB_PASS}@localhost:5432/app postgresql://<user>:<password>@host/db",
        "mysql -u root -p\nEnter password:\nmysql -u root -p$MYSQL_PWD app",
        "token: ${{ secrets.GITHUB_TOKEN }}\npassword: !vault db/password",
        "docker login -u $USER -p $PASSWORD registry.example.org",
        "Authorization: Bearer <token>\nCookie: session=<session-id>",
        "password: ********\napi_key=****************\nsecret=[REDACTED:credential]",
        "AWS_SECRET_ACCESS_KEY=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nPASSWORD=\nSECRET=null",
        'sshpass -p "$PW" ssh deploy@10.0.0.4\ntool --password <password> --token "${TOKEN}"',
        "https://example.org/cb?token=TOKEN&sig={signature}&key=%s",
    ),
    "logs": (
        "2025-03-11 09:14:07,113 INFO auth.token: refreshed token for user 4711 in 0.113s",
        '10.0.0.7 - - [11/Mar/2025:09:14:07 +0000] "POST /oauth/token HTTP/1.1" 200 1532 "-" "curl/8.5.0"',
        "Set-Cookie: theme=dark; Path=/; Max-Age=31536000; SameSite=Lax",
        "npm WARN deprecated @types/keyv@4.2.0\nadded 412 packages in 12s",
        '  File "/usr/lib/python3.12/site-packages/jwt/api_jwt.py", line 210, in decode',
        "E       AssertionError: assert 'token' in {'access': 1, 'refresh': 2}",
        "docker run --rm -it -p 8080:80 -e NODE_ENV=production --name web nginx:1.27-alpine",
        "kubectl get secret db-credentials -n prod -o yaml\nsecret/db-credentials created",
        "curl -s -u https://example.org || psql -h localhost -p 5432 -U postgres -d app",
        "ssh -p 2222 deploy@10.0.0.4 'mkdir -p /srv/app-v2.1'\ncp -p a.txt b.txt",
        "warning: key 'project.scripts' is deprecated; tokens per second: 113.7",
        "Downloading torch-2.5.1-cp312-cp312-manylinux1_x86_64.whl (906.4 MB)",
        '{"level":"info","auth":"ok","duration_ms":113,"tokens":{"prompt":812,"completion":93}}',
        "remote: Enumerating objects: 1204, done.\nTo github.com:corp/app.git\n   <hex7>..<hex7>  main -> main",
        "http://localhost:8080/a/b@2x.png https://registry.npmjs.org/@types/node/-/node-22.10.2.tgz",
        "mailto:maria@example.org git@github.com:corp/app.git ssh://git@host:22/a.git redis://localhost:6379/0",
        "Access-Control-Allow-Headers: Authorization, X-Api-Key, Content-Type",
        'WWW-Authenticate: Bearer realm="api", error="invalid_token"',
    ),
    "data": (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA<b64400>=",
        "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb<b64300>",
        "#a1b2c3 #0f0f0f rgba(12,34,56,0.7) 3.141592653589793 0xdeadbeef 1.7976931348623157e+308",
        "AAABBBCCCDDDEEEFFF ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "GGCTAAGTCAGGTTACAGCATTACGATGCATTACGGGTACCATTGACCA",
        "lat=52.520008&lon=13.404954&zoom=12&page_token=&sort=key",
        "X_train.shape=(120000, 784) y_train=uint8 loss=0.0231 acc=0.9931",
        "/home/maria/.local/share/app/v2.1/cache/Tokens/2025-03-11/part-00012.snappy.parquet",
        "com.example.security.oauth2.provider.token.store.JdbcTokenStoreFactoryBean",
        "VGhpcyBpcyBqdXN0IGEgc2VudGVuY2UgaW4gYmFzZTY0LCBub3RoaW5nIGVsc2Uu",
        "ISBN 978-3-16-148410-0, IBAN-like DE00 0000, phone +49 30 901820, 4 Mar 2025",
    ),
}


def benign(seed: int, rounds: int = 1) -> Iterator[Sample]:
    """Every look-alike in its own form and, round after round, in one of the transcript contexts."""
    rng = random.Random(seed)  # noqa: S311 - the set must come out the same
    places = contexts()
    for _ in range(rounds):
        for kind, templates in BENIGN.items():
            for template in templates:
                text = fill(rng, template)
                yield Sample(kind, "alone", text)
                name = rng.choice(tuple(places))
                yield Sample(kind, name, places[name](text))
