"""A labelled corpus: lines of many kinds of files that hold a secret, and lines that only look so.

Secrets are drawn when the test runs: `{a20}` is 20 letters and digits, `{l8}` lower case and digits, `{z8}` lower case,
`{h32}` hex, `{u16}` upper case and digits, `{w20}` with `_` and `-`, `{b40}` Base64, `{d6}` digits, `{p10}` a password
with all classes, `{uuid}` one of those. No scanner finds anything in this file.
"""

from __future__ import annotations

import random
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.secrets.detection import keyed_digest, secret_spans
from leeboard.secrets.redaction import find_secrets

ALPHABETS = {
    "a": string.ascii_letters + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "z": string.ascii_lowercase,
    "h": "0123456789abcdef",
    "u": string.ascii_uppercase + string.digits,
    "w": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "d": string.digits,
}
HOLE = re.compile(r"\{(?:(uuid)|([alzhuwbdp])(\d{1,3}))\}")

POSITIVE = r"""
src/db.py | DB_PASSWORD = "{p10}"
src/db.py | password = '{a12}'
src/db.py | self.password = "{l9}"
src/db.py | conn = connect(host="db", user="app", password="{a10}")
src/db.py | config["db_password"] = "{p12}"
src/db.py | params = {"user": "root", "password": "{z9}", "db": 1}
src/db.py | PASSWORDS = dict(admin_password="{a14}")
src/db.py | token: str = "{a32}"
src/db.py | API_KEY: Final[str] = '{h32}'
src/db.py | SECRET_KEY = b"{a40}"
src/db.py | app.config['SECRET_KEY'] = '{h48}'
src/db.py | os.environ["API_TOKEN"] = "{a24}"
src/db.py | key = os.environ.get("API_KEY", "{a32}")
src/db.py | secret = os.getenv("CLIENT_SECRET", default="{h40}")
src/db.py | headers = {"Authorization": "Bearer {a40}"}
src/db.py | headers = {"X-Api-Key": "{h32}"}
src/db.py | requests.get(url, auth=("admin", "{p10}"))
src/db.py | client.login("bob", "{a9}")
src/db.py | if password == "{a10}":
src/db.py | engine = create_engine("postgresql://app:{a14}@db.internal:5432/app")
src/db.py | r = redis.from_url("redis://:{a20}@cache:6379/0")
src/db.py | url = "https://api.host.dev/v1/items?api_key={h32}&page=1"
src/db.py | salt = "{a22}"
src/db.py | encryption_key = base64.b64decode("{b43}=")
src/db.py | # password: {p10}
src/db.py | smtp.login('mailer', '{p11}')
src/db.py | jwt.encode(payload, secret="{a32}")
src/db.py | credentials = "{h64}"
src/db.py | refresh_token = "{w44}"
src/db.py | twilio_auth_token = "{h32}"
src/db.py | access_key, secret_key = "x", "y"; session_token = "{b60}"
web/app.js | const apiKey = '{a32}';
web/app.js | var password = "{a10}";
web/app.js | let dbPass = `{p12}`;
web/app.js | const config = { clientSecret: "{w28}", other: 1 };
web/app.js |   apiToken: '{h40}',
web/app.js | const token = process.env.TOKEN || "{a30}";
web/app.js | process.env.JWT_SECRET = '{a24}';
web/app.js | axios.defaults.headers.common['x-auth-token'] = "{a32}";
web/app.js | mongoose.connect("mongodb+srv://admin:{a15}@cluster0.abcde.mongodb.net/test")
web/app.js | passport.use(new Strategy({ clientID: 'x', clientSecret: '{h40}' }))
web/app.js | cy.login("tester@corp.dev", "{p12}")
web/app.js | fetch(`https://maps.host.dev/api?key={w39}`)
web/app.js | if (req.query.secret !== "{a16}") return;
web/app.ts | private readonly password: string = "{p10}";
web/app.ts | export const AUTH_TOKEN = "{h64}";
web/app.ts | secretAccessKey: "{b40}",
web/app.ts | const key: Buffer = Buffer.from("{h64}", "hex");
src/Main.java | String password = "{p10}";
src/Main.java | private static final String API_KEY = "{a32}";
src/Main.java | props.setProperty("password", "{a11}");
src/Main.java | props.put("db.password", "{a11}");
src/Main.java | dataSource.setPassword("{p10}");
src/Main.java | DriverManager.getConnection(url, "scott", "{a9}");
src/Main.java | builder.withClientSecret("{w32}");
src/Main.java | new UsernamePasswordCredentials("admin", "{p10}");
src/Main.java | if (password.equals("{a10}")) {
src/Main.java | private String secretKey = "{b43}=";
src/Main.java | @Value("${app.secret:{a24}}") private String secret;
src/Main.kt | val apiKey = "{a32}"
src/Main.kt | .password("{p12}")
src/Main.scala | val dbPassword: String = "{a12}"
src/main.go | const apiKey = "{a32}"
src/main.go | password := "{p10}"
src/main.go | Password: "{a12}",
src/main.go | var jwtSecret = []byte("{a32}")
src/main.go | req.SetBasicAuth("admin", "{p10}")
src/main.go | os.Setenv("AWS_SECRET_ACCESS_KEY", "{b40}")
src/main.rs | let api_key: &str = "{a32}";
src/main.rs | let token = String::from("{h40}");
src/app.rb | config.secret_key_base = '{h128}'
src/app.rb | password: '{p10}',
src/app.rb | :api_key => "{a32}",
src/app.rb | ENV['GITHUB_SECRET'] = '{h40}'
src/app.rb | ENV.fetch('API_SECRET', '{h40}')
src/app.php | $password = '{p10}';
src/app.php | define('DB_PASSWORD', '{p12}');
src/app.php | 'secret' => '{a32}',
src/app.php | define('AUTH_KEY', '{b64}');
src/app.php | $db = new PDO($dsn, 'root', 'x'); $pass = "{a10}";
src/app.cs | var password = "{p10}";
src/app.cs | string connection = "Server=db;Database=app;User Id=sa;Password={a14};";
src/app.cs | new NetworkCredential("user", "{p10}");
src/app.cs | public const string ClientSecret = "{w32}";
src/app.cpp | const char* password = "{a10}";
src/app.cpp | static const std::string kApiKey = "{a32}";
src/app.c | #define WIFI_PASSWORD "{a12}"
src/app.ino | const char wifi_password[] = "{a12}";
src/app.swift | let apiKey = "{a32}"
src/app.m | NSString *apiSecret = @"{h40}";
src/app.ps1 | $password = ConvertTo-SecureString "{p10}" -AsPlainText -Force
src/app.ps1 | $apiKey = "{a32}"
src/app.lua | local token = "{a32}"
src/app.pl | my $password = '{p10}';
src/app.sql | CREATE USER app IDENTIFIED BY '{p10}';
src/app.sql | ALTER ROLE app WITH PASSWORD '{a12}';
src/app.tf | password = "{p12}"
src/app.tf | secret_key = "{b40}"
src/app.dart | final String apiKey = '{a39}';
src/app.groovy | def token = '{a32}'
src/app.ex | config :app, secret_key_base: "{b64}"
src/app.r | api_key <- "{a32}"
conf/app.yml | password: {a12}
conf/app.yml | password: "{p10}"
conf/app.yml |   api_key: '{h32}'
conf/app.yml | secret: {a24}
conf/app.yml | DATABASE_URL: postgres://app:{a14}@db:5432/app
conf/app.yml | spring.datasource.password: {a12}
conf/app.yml |   - SECRET_KEY={a32}
conf/app.yml |   MYSQL_ROOT_PASSWORD: {z8}
conf/app.yml | auth_token: {uuid}
conf/app.yml | client_secret: {uuid}
conf/app.json |   "password": "{p10}",
conf/app.json | {"apiKey": "{a32}", "projectId": "x"}
conf/app.json |   "client_secret": "{w24}",
conf/app.json |   "accessToken" : "{a64}"
conf/app.json |   "ConnectionStrings": {"Default": "Server=.;Uid=sa;Pwd={a12};"}
conf/app.json |   "key": "{b43}=",
conf/app.json |   "secret": "{uuid}"
conf/app.xml | <password>{a12}</password>
conf/app.xml | <property name="password" value="{a12}"/>
conf/app.xml | <add key="ApiSecret" value="{h40}" />
conf/app.xml | <add key="ClearTextPassword" value="{a16}" />
conf/app.xml | <string name="api_key">{a32}</string>
conf/app.xml | <entry key="db.password">{a12}</entry>
conf/app.xml | <bean p:username="sa" p:password="{a12}"/>
conf/app.properties | db.password={a12}
conf/app.properties | spring.mail.password = {p10}
conf/app.properties | api.secret={h40}
conf/app.properties | jdbc.url=jdbc:mysql://db/app?user=app&password={a12}
conf/app.ini | password = {a12}
conf/app.ini | secret_key = {a40}
conf/app.ini | token={h40}
conf/app.cfg | admin_passwd = {a12}
conf/app.conf | requirepass {a20}
conf/app.conf | rpcpassword={a24}
conf/app.toml | api_key = "{a32}"
conf/app.toml | password = "{z9}"
conf/.netrc | machine api.host.dev login bob password {a14}
conf/prod.env | API_TOKEN={a40}
conf/prod.env | export SECRET="{a24}"
conf/prod.env | REDIS_PASSWORD='{p12}'
conf/prod.env | STRIPE_WEBHOOK_SECRET={a32}
Dockerfile | ENV DB_PASSWORD={a12}
Dockerfile | ENV DB_PASSWORD {a12}
Dockerfile | ARG NPM_TOKEN={uuid}
run.sh | export DB_PASSWORD={a12}
run.sh | PASSWORD="{p10}"
run.sh | mysql -u root -p{a12} app
run.sh | sshpass -p {a12} ssh host
run.sh | curl -u admin:{a12} https://host.dev/api
run.sh | curl -H "Authorization: Bearer {a40}" https://host.dev
run.sh | curl -H "X-Api-Key: {h32}" https://host.dev
run.sh | ./deploy --password {a12} --host x
run.sh | ./deploy --token={a32}
run.sh | docker login -u bob -p {a14} registry.host.dev
run.sh | openssl enc -aes-256-cbc -pass pass:{a12} -in x
run.sh | PGPASSWORD={a12} psql -h db
run.sh | keytool -genkey -storepass {a10} -alias x
run.sh | git clone https://bob:{a20}@git.host.dev/x.git
run.bat | set DB_PASSWORD={a12}
use.md | password: `{p10}`
use.md | curl -H 'Authorization: Token {h40}' https://host.dev
use.md | export API_KEY={a32}
use.html | var apiKey = "{a32}";
logs/run.log | 2020-01-01 INFO login password={a12} ok
logs/run.log | request headers: Authorization: Basic {b32}==
nb/x.ipynb |     "api_key = '{a32}'\n",
nb/x.ipynb |     "password = \"{a12}\"\n",
deploy/k8s.yaml | - {name: DB_PASSWORD, value: "{a12}"}
"""

NEGATIVE = r"""
src/db.py | NONCE = "{h32}"
src/digest.t | Authorization: Digest username="jan", nonce="{h32}", cnonce="{h32}"
docs/use.html | <input type="hidden" name="csrf_token" value="{h40}">
docs/use.html | <input type="hidden" name="authenticity_token" value="{b43}=">
src/socket.py | headers["Sec-WebSocket-Key"] = "{b22}=="
tests/list.tcl | test "Basic LPOP/RPOP/LMPOP - $type" begin
tests/mod.t | Authorization: Basic ZGVzOmRlcw==
src/ciphers.c | "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-PSK-CHACHA20-POLY1305:DHE-RSA-AES128"
src/ciphers.java | use("EECDH:EDH+aRSA:!LOW:!3DES:!MD5:!EXP:!PSK:!SRP:!DSS");
src/commands/bitfield.json | "token": "INCRBY",
docs/use.md | [v3key]: ../mvcc/mvccpb/kv.proto#L12-L29
src/cluster.go | defaultTokenJWT = "jwt,pub-key=./fixtures/server.crt,sign-method=RS256,ttl=1s"
docs/use.md | influx -import -path=metrics-default
src/login.jsp | &lt;user username="tomcat" password="s3cret" roles="admin-gui"/&gt;
src/mock_test.go | const hcloudTestToken = "{a64}"
src/set_test.go | publicKey(123, Key: "{b43}=")
src/auth_test.go | create(name: "admin", password: "adminpwd")
src/keys.py | signing_keys = {"{uuid}": load_key()}
src/keys.py | TOKENS = {"{uuid}": "label"}
src/keys.rb | secrets = {"{uuid}" => load_key}
src/flags.py |     "Library_HAS_PSK_TLSv1_3": library_has_psk_tlsv13,
src/csrf.py | CSRF_SESSION_KEY = "_csrftoken"
Makefile | MODULES = errno pwd xxsubtype zlib
completions/run.sh | complete "username= passphrase= password= scmVersion= $(list)"
lib/a.pm | *all_children_pass = *all_children_are;
lib/a.pm | perldoc -u Some::Modulename
lib/a.pm | $pass = 'anonymous@';
docs/use.md | const pubkey256 = 'SIXvRyDmBJSgatgTQRGbInBaAK+hZOQ18UmrSwnDlK8=';
docs/copyright.txt | cvs://:pserver:anoncvs@sources.host.dev:/cvs/src
pom.xml | <releaseManagerKey>B6E73D84EA4FCC47166087253FAAD2CD5ECBB314</releaseManagerKey>
src/db.py | password = os.environ["DB_PASSWORD"]
src/db.py | password = os.getenv("PASSWORD")
src/db.py | password = getpass.getpass("Password: ")
src/db.py | password = config.password
src/db.py | password = get_password(user)
src/db.py | password = None
src/db.py | password = ""
src/db.py | password: str
src/db.py | password: Optional[str] = None
src/db.py | def login(user, password="password"):
src/db.py | login(user, password=password)
src/db.py | token = request.headers.get("Authorization")
src/db.py | token = secrets.token_hex(32)
src/db.py | token = f"{prefix}-{suffix}"
src/db.py | api_key = "your_api_key_here"
src/db.py | api_key = "<your-api-key>"
src/db.py | api_key = "REPLACE_ME"
src/db.py | api_key = "xxxxxxxxxxxxxxxx"
src/db.py | api_key = "****************"
src/db.py | api_key = "..."
src/db.py | api_key = "{{ api_key }}"
src/db.py | api_key = "${API_KEY}"
src/db.py | api_key = "%s"
src/db.py | api_key = "%(api_key)s"
src/db.py | API_KEY = "API_KEY"
src/db.py | TOKEN_KEY = "auth.token"
src/db.py | PASSWORD_FIELD = "password"
src/db.py | SECRET_NAME = "prod/app/database"
src/db.py | KEY = "some.dotted.identifier"
src/db.py | primary_key = "user_id"
src/db.py | sort_key = "created_at"
src/db.py | cache_key = "user:profile:settings"
src/db.py | public_key = "{b200}"
src/db.py | commit = "{h40}"
src/db.py | sha256 = "{h64}"
src/db.py | checksum: str = "{h32}"
src/db.py | EXPECTED_MD5 = "{h32}"
src/db.py | session_id = "{uuid}"
src/db.py | user_id = "{uuid}"
src/db.py | tracking_id = "{a20}"
src/db.py | password_hash = "$2b$12${a53}"
src/db.py | hashed = bcrypt.hashpw(password, salt)
src/db.py | raise ValueError("password must not be empty")
src/db.py | print("Enter your password:")
src/db.py | help="the token to use"
src/db.py | parser.add_argument("--password", help="Password for the user")
src/db.py | parser.add_argument("--token", default="")
src/db.py | KEYWORDS = ["password", "secret", "token", "api_key"]
src/db.py | SENSITIVE = ("password", "passwd", "secret")
src/db.py | if key == "password":
src/db.py | data["password"] = self.cleaned_data["password1"]
src/db.py | tokenizer = "bert-base-uncased"
src/db.py | token_type = "bearer"
src/db.py | max_tokens = 4096
src/db.py | next_page_token = "{a20}"
src/db.py | eos_token = "<|endoftext|>"
src/db.py | token_url = "https://auth.host.dev/oauth/token"
src/db.py | SECRET_PATH = "/etc/secrets/app"
src/db.py | key_file = "/home/app/.ssh/id_rsa"
src/db.py | PRIVATE_KEY_PATH = "certs/server.key"
src/db.py | password_regex = r"^(?=.*[A-Z]).{8,}$"
src/db.py | "password": "password",
src/db.py | "password": "secret",
src/db.py | "password": "changeme",
src/db.py | "password": "test",
src/db.py | "token": "dummy-token",
src/db.py | secret = "my-secret"
src/db.py | secret = "supersecret"
src/db.py | secret_key = "insecure-test-key"
src/db.py | key = "abcdefghijklmnop"
src/db.py | key = "0123456789abcdef"
src/db.py | key = b"\x00" * 32
src/db.py | key = "A" * 32
src/db.py | auth = HTTPBasicAuth(user, password)
src/db.py | auth = ("user", "pass")
src/db.py | Authorization = "Bearer " + token
src/db.py | headers["Authorization"] = f"Bearer {token}"
src/db.py | headers = {"Authorization": "Bearer <token>"}
src/db.py | authorization: Basic authentication is used
src/db.py | uuid = "{uuid}"
src/db.py | color = "#ff00aa"
src/db.py | version = "1.2.3"
src/db.py | url = "https://user:password@example.com/"
src/db.py | url = "https://{user}:{password}@host.dev/"
src/db.py | url = f"postgres://{user}:{pw}@{host}/db"
src/db.py | re.compile(r"password\s*=\s*['\"][^'\"]+['\"]")
src/db.py | logger.info("token expired for %s", user)
src/db.py | description = "Secret santa organiser"
src/db.py | PASSWORD_MIN_LENGTH = 12
src/db.py | password_changed_at = "2020-01-01"
src/db.py | from app.auth import password_validator
src/db.py | author = "Jane Smith <jane@host.dev>"
src/db.py | authority = "login.host.dev"
src/db.py | monkey = "{a20}"
src/db.py | keyboard = "qwertyuiopasdfgh"
src/db.py | passenger = "john"
src/db.py | compass = "north-west-1"
src/db.py | t("login.password.label")
src/db.py | get_secret("prod/db/password")
src/db.py | client.get_secret_value(SecretId="prod/app")
src/db.py | vault.read("secret/data/app")["password"]
src/db.py | keyring.get_password("system", "username")
src/db.py | secret = "projects/123/secrets/app/versions/latest"
src/db.py | kms_key = "arn:aws:kms:us-east-1:123456789012:key/{uuid}"
src/db.py | password = "!vault |"
src/db.py | password = "ENC[AES256_GCM,data:{b20}]"
src/db.py | encrypted_password = "{b44}="
src/db.py | # the token is passed in the header
src/db.py | # password: the password of the user
src/db.py | '''Return the secret key of the bucket.'''
src/db.py | dict_key = "first_name"
src/db.py | api = "https://api.host.dev/v1"
src/db.py | API_VERSION = "2021-04-10"
src/db.py | session = "django.contrib.sessions"
src/db.py | SESSION_COOKIE_NAME = "app_session"
src/db.py | CSRF_HEADER_NAME = "HTTP_X_CSRFTOKEN"
src/db.py | AUTH_USER_MODEL = "accounts.User"
src/db.py | AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
src/db.py | salt = "django.core.signing"
src/db.py | seed = 42
src/db.py | nonce = os.urandom(16)
web/app.js | const password = req.body.password;
web/app.js | const token = localStorage.getItem("token");
web/app.js | const apiKey = process.env.API_KEY;
web/app.js | password: { type: String, required: true },
web/app.js | password: Joi.string().min(8).required(),
web/app.js | password: 'Password',
web/app.js | passwordPlaceholder: "Enter password",
web/app.js | <input type="password" name="password" placeholder="Password" />
web/app.js | <Input type="password" value={password} onChange={setPassword} />
web/app.js | label: "Password",
web/app.js | tokenType: "Bearer",
web/app.js | const [token, setToken] = useState("");
web/app.js | setPassword("");
web/app.js | setPassword(event.target.value);
web/app.js | import { token } from "./auth";
web/app.js | key: "Backspace",
web/app.js | key={item.id}
web/app.js | <li key="settings">
web/app.js | case "ArrowDown": key = "down";
web/app.js | const STORAGE_KEY = "app.settings.v2";
web/app.js | const QUERY_KEY = "user-profile";
web/app.js | event.key === "Enter"
web/app.js | i18n.t("errors.passwordTooShort")
web/app.js | errors.password = "Password is required";
web/app.js | throw new Error("Invalid token: " + token);
web/app.js | integrity: "sha512-{b86}==",
web/app.js | const hash = "{h40}";
web/app.js | className="btn btn-secret"
web/app.js | "use strict"; var secret = require("./secret");
web/app.js | author: "someone",
web/app.js | auth: { strategy: "jwt" },
web/app.js | route.get("/auth/token", handler)
web/app.js | token: token || null,
web/app.js | const { password, ...rest } = user;
web/app.js | expect(wrapper.find("#password").exists()).toBe(true)
web/app.js | siteKey: "{a40}",
web/app.ts | password?: string;
web/app.ts | password: FormControl<string>;
web/app.ts | @Input() apiKey: string;
web/app.ts | constructor(private readonly tokenService: TokenService) {}
web/app.ts | readonly secret: Secret = new Secret(this, "Secret");
web/app.ts | type Key = "alpha" | "beta";
web/app.ts | enum TokenKind { Identifier = "Identifier", Keyword = "Keyword" }
web/app.ts | token: InjectionToken<string>,
src/Main.java | private String password;
src/Main.java | public static final String PASSWORD = "password";
src/Main.java | private static final String KEY_TOKEN = "com.host.app.TOKEN";
src/Main.java | String token = request.getHeader("X-Auth-Token");
src/Main.java | setPassword(passwordEncoder.encode(password));
src/Main.java | @Column(name = "password_digest")
src/Main.java | @Value("${app.secret}") private String secret;
src/Main.java | public String getPassword() { return password; }
src/Main.java | throw new BadCredentialsException("Bad credentials");
src/Main.java | private static final long serialVersionUID = {d18}L;
src/Main.java | KeyGenerator.getInstance("AES");
src/Main.java | SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
src/Main.java | Cipher key = Cipher.getInstance("AES/CBC/PKCS5Padding");
src/Main.java | String keyAlias = "androiddebugkey";
src/main.go | password := os.Getenv("PASSWORD")
src/main.go | Password string `json:"password"`
src/main.go | Token  string `yaml:"token,omitempty"`
src/main.go | flag.StringVar(&token, "token", "", "API token")
src/main.go | errors.New("invalid token")
src/main.go | key := fmt.Sprintf("%s/%s", a, b)
src/main.go | const tokenHeader = "X-Auth-Token"
src/main.rs | let token = env::var("TOKEN")?;
src/main.rs | pub password: Option<String>,
src/main.rs | Token::Ident => "identifier",
src/app.rb | password = params[:password]
src/app.rb | has_secure_password
src/app.rb | attr_accessor :token, :secret
src/app.rb | secret_key_base: <%= ENV["SECRET_KEY_BASE"] %>
src/app.rb | validates :password, length: { minimum: 8 }
src/app.php | $password = $_POST['password'];
src/app.php | 'password' => Hash::make($request->password),
src/app.php | 'password' => 'required|min:8',
src/app.php | define('DB_PASSWORD', getenv('DB_PASSWORD'));
src/app.php | 'key' => env('APP_KEY'),
src/app.php | define( 'AUTH_KEY', 'put your unique phrase here' );
src/app.cs | public string Password { get; set; }
src/app.cs | [DataType(DataType.Password)]
src/app.cs | PublicKeyToken=b77a5c561934e089
src/app.cs | var secret = Configuration["Jwt:Secret"];
src/app.c | #define KEY_ENTER 13
src/app.c | static const char *token_names[] = {"plus", "minus"};
src/app.tf | password = var.db_password
src/app.tf | password = data.aws_secretsmanager_secret_version.db.secret_string
src/app.tf | password = random_password.db.result
src/app.tf | key_name = "deployer-key"
src/app.tf | key = "envs/prod/terraform.tfstate"
src/app.sql | password VARCHAR(255) NOT NULL,
src/app.sql | SELECT password FROM users WHERE token = ?
src/app.sql | PRIMARY KEY (user_id)
src/app.ps1 | $password = Read-Host -AsSecureString
src/app.proto | string password = 2;
conf/app.yml | password: ${DB_PASSWORD}
conf/app.yml | password: "{{ vault_db_password }}"
conf/app.yml | password: !vault |
conf/app.yml | password: changeme
conf/app.yml | password: <password>
conf/app.yml | token: ${{ secrets.GITHUB_TOKEN }}
conf/app.yml | secretName: app-tls
conf/app.yml | secretKeyRef:
conf/app.yml | existingSecret: my-database-secret
conf/app.yml | key: password
conf/app.yml | key: node-role.kubernetes.io/master
conf/app.yml | type: password
conf/app.yml | password_file: /run/secrets/db
conf/app.yml | auth: true
conf/app.yml | api: enabled
conf/app.yml | cache-key: v1-deps-{{ checksum "package.json" }}
conf/app.yml | image: app@sha256:{h64}
conf/app.yml | rev: {h40}
conf/app.yml | description: The password used to connect
conf/app.json | "password": "",
conf/app.json | "password": null,
conf/app.json | "password": {"type": "string"},
conf/app.json | "token": "Token",
conf/app.json | "forgotPassword": "Forgot your password?",
conf/app.json | "keywords": ["secret", "password"],
conf/app.json | "key": "workbench.action.files.save",
conf/app.json | "author": "Jane",
conf/app.json | "integrity": "sha512-{b86}==",
conf/app.json | "resolved": "https://host.dev/x/-/x-1.0.0.tgz#{h40}",
conf/app.json | "client_id": "{a32}",
conf/app.json | "id": "{uuid}",
conf/app.json | "gitHead": "{h40}",
conf/app.xml | <password>${db.password}</password>
conf/app.xml | <password></password>
conf/app.xml | <property name="password" value="${db.password}"/>
conf/app.xml | <string name="password">Password</string>
conf/app.xml | <string name="password_hint">Enter your password</string>
conf/app.xml | <assemblyIdentity name="x" publicKeyToken="b03f5f7f11d50a3a" />
conf/app.properties | db.password=@db.password@
conf/app.properties | db.password=
conf/app.properties | login.password.label=Your password
conf/app.properties | token.expiration=3600
conf/app.properties | security.key-store=classpath:keystore.p12
conf/app.ini | password = %(db_password)s
conf/app.ini | auth_type = md5
conf/app.cfg | key = value
conf/app.toml | token = "env:TOKEN"
conf/prod.env | API_TOKEN=
conf/prod.env | API_TOKEN=your-token-here
conf/prod.env | SECRET_FILE=/run/secrets/app
Dockerfile | ENV PASSWORD=$PASSWORD
Dockerfile | ARG TOKEN
Dockerfile | RUN --mount=type=secret,id=npm_token npm ci
run.sh | PASSWORD=$1
run.sh | PASSWORD="$(openssl rand -hex 16)"
run.sh | export TOKEN=$(cat token.txt)
run.sh | mysql -u root -p"$MYSQL_PASSWORD" app
run.sh | mysql -u root -p app
run.sh | curl -u "$USER:$PASS" https://host.dev
run.sh | curl -H "Authorization: Bearer $TOKEN" https://host.dev
run.sh | mkdir -p build/output
run.sh | ssh -p 2222 host
run.sh | docker run -p 8080:80 -u 1000:1000 app
run.sh | read -s -p "Password: " password
run.sh | echo "Usage: deploy --password PASSWORD --token TOKEN"
run.sh | chown -R user:group /srv
run.sh | gpg --recv-keys {u40}
docs/use.md | Set `API_KEY` to your key.
docs/use.md | The password is stored in the vault.
docs/use.md | password: your password
docs/use.md | | password | string | The password of the user |
docs/use.md | `--token <token>`: the token to use
docs/use.md | Authorization: Bearer YOUR_TOKEN
docs/use.md | export API_KEY=your_api_key
docs/use.md | The secret of good design is restraint.
docs/use.md | Token-based authentication with refresh tokens
docs/use.html | <label for="password">Password</label>
docs/use.html | <a href="/auth/password/reset">Forgot password?</a>
docs/use.html | <script src="x.js" integrity="sha384-{b64}" crossorigin="anonymous"></script>
docs/use.html | <script nonce="<?= $nonce ?>">
locale/de.json | "password": "Kennwort",
locale/fr.json | "password": "Mot de passe oublié",
i18n/es.yml | token: Ficha
yarn.lock |   resolved "https://host.dev/x.tgz#{h40}"
yarn.lock |   integrity sha512-{b86}==
go.sum | host.dev/x v1.0.0 h1:{b43}=
style/app.css | .password-field { color: #aabbcc; }
logs/run.log | user bob logged in with password
logs/run.log | token expired, refreshing
tests/test_x.py | password = "test"
tests/test_x.py | token = "test-token"
tests/test_x.py | client.login("user", "password123")
tests/test_x.py | assert token == "abc123"
nb/x.ipynb |    "image/png": "{b300}",
certs/x.pem | -----BEGIN CERTIFICATE-----
certs/x.pem | -----BEGIN PUBLIC KEY-----
"""


def drawn(template: str, rng: random.Random) -> tuple[str, list[str]]:
    """The line with its holes filled, and what filled them."""
    values: list[str] = []

    def fill(match: re.Match[str]) -> str:
        values.append(draw(match, rng))
        return values[-1]

    return HOLE.sub(fill, template), values


def draw(match: re.Match[str], rng: random.Random) -> str:
    if match[1]:
        hexes = "".join(rng.choices("0123456789abcdef", k=32))
        return "-".join((hexes[:8], hexes[8:12], hexes[12:16], hexes[16:20], hexes[20:]))
    size = int(match[3])
    if match[2] == "p":
        chars = [rng.choice(s) for s in (string.ascii_lowercase, string.ascii_uppercase, string.digits, "!@#%*?+")]
        return "".join(rng.sample([*chars, *rng.choices(ALPHABETS["a"], k=size - 4)], size))
    while True:
        value = "".join(rng.choices(ALPHABETS[match[2]], k=size))
        if match[2] in "zd" or (any(map(str.isdigit, value)) and any(map(str.isalpha, value))):
            return value


def cases(table: str) -> list[tuple[str, str]]:
    rows = (line.partition(" | ") for line in table.splitlines() if line.strip())
    return [(path, line) for path, _bar, line in rows]


def reported(line: str, path: str) -> list[str]:
    return [secret.value for secret in find_secrets(line, path) if not secret.note and secret.confidence > 0.5]


@pytest.mark.parametrize(("path", "template"), cases(POSITIVE))
def test_a_line_with_a_secret_is_told(path: str, template: str) -> None:
    line, values = drawn(template, random.Random(template))
    assert any(value in found or found in value for found in reported(line, path) for value in values)


@pytest.mark.parametrize(("path", "template"), cases(NEGATIVE))
def test_a_line_without_one_is_not(path: str, template: str) -> None:
    line, _values = drawn(template, random.Random(template))
    assert not reported(line, path)


def test_the_corpus_is_large_enough() -> None:
    assert len(cases(POSITIVE)) >= 150
    assert len(cases(NEGATIVE)) >= 250


def test_line_column_and_name_are_told() -> None:
    value, _ = drawn("{a32}", random.Random(1))
    (secret,) = find_secrets(f'import os\n\n    api_key = "{value}"\n', "src/a.py")
    assert (secret.line, secret.column, secret.name, secret.value) == (3, 16, "api_key", value)


def test_only_the_wanted_lines_are_told() -> None:
    value, _ = drawn("{a32}", random.Random(2))
    text = f'a_key = "{value}"\nb_token = "{value[::-1]}"\n'
    assert [secret.line for secret in find_secrets(text, "a.py")] == [1, 2]
    assert [secret.line for secret in find_secrets(text, "a.py", lines=[2])] == [2]


@pytest.mark.parametrize("comment", ["# pragma: allowlist secret", "# gitleaks:allow", "# nosec"])
def test_a_comment_for_another_tool_is_told_and_takes_nothing_from_it(comment: str) -> None:
    value, _ = drawn("{a32}", random.Random(3))
    (secret,) = find_secrets(f'api_key = "{value}"  {comment}', "a.py")
    (plain,) = find_secrets(f'api_key = "{value}"', "a.py")
    assert (secret.marked, plain.marked) == (True, False)
    assert (secret.note, secret.confidence) == (plain.note, plain.confidence) == ("", secret.confidence)


@pytest.mark.parametrize(
    ("path", "line", "confidence", "note"),
    [
        ("src/a.py", 'password = "hunter2"', 0.8, ""),
        ("src/a.py", 'api_key = "your_api_key_here"', 0.3, "placeholder"),
        ("src/a.py", 'api_key = "REPLACE_ME"', 0.3, "placeholder"),
        ("src/a.py", 'secret = "{h32}"', 0.92, ""),
        ("src/a.py", 'url = "postgres://app:{a14}@db/app"', 0.9, ""),
        ("src/a.py", 'x = "{a24}"', 0.5, ""),
        ("tests/test_a.py", 'password = "hunter2"', 0.8, "test fixture"),
        ("docs/a.md", "password: hunter2", 0.8, "it is only explained"),
        ("src/a.py", 'SECRET_REDACTED = "{a32}"', 0.3, "placeholder"),
        ("src/a.py", "{'placeholder': 'e.g. hvs.2OCsZxZA6Z9lChbt0janOOZI'}", 0.3, "placeholder"),
    ],
)
def test_how_sure_we_are(path: str, line: str, confidence: float, note: str) -> None:
    """SW-56 to SW-58, SW-71, the confidence table."""
    filled, _values = drawn(line, random.Random(11))
    (secret,) = find_secrets(filled, path)
    assert (secret.confidence, secret.note) == (confidence, note)


def test_several_secrets_of_one_name_are_records() -> None:
    rows = [
        f"    {{'code': {number}, 'secret': '{drawn('{a24}', random.Random(number))[0]}'}},\n" for number in range(3)
    ]
    assert [secret.confidence for secret in find_secrets(f"ORDERS = [\n{''.join(rows)}]\n", "src/a.py")] == [0.8] * 3
    assert [secret.confidence for secret in find_secrets(f"ORDER = [\n{rows[0]}]\n", "src/a.py")] == [0.92]


def test_an_image_holds_no_keys() -> None:
    token = "EAA" + drawn("{a80}", random.Random(6))[0]
    assert [secret.kind for secret in find_secrets(f'x = "{token}"', "src/a.js")] == ["facebook-token"]
    blob = "data:image/png;base64," + drawn("{a120}", random.Random(7))[0]
    assert "facebook-token" not in {secret.kind for secret in find_secrets(f'x = "{blob}/{token}"', "src/a.js")}


def test_of_two_that_overlap_the_surer_is_told() -> None:
    value = "".join(("gh", "p_", drawn("{a36}", random.Random(4))[0]))
    (secret,) = find_secrets(f'token = "{value}"', "a.py")
    assert secret.kind == "github-token"


def test_a_long_line_is_read_in_windows() -> None:
    value, _ = drawn("{a32}", random.Random(5))
    line = "a=b;" * 250_000 + f'apiKey:"{value}",' + "c=d;" * 250_000
    assert value in [secret.value for secret in find_secrets(line, "web/app.js")]


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for secret in find_secrets(text, "a.yml"):
        assert secret.value in text
        assert secret.line <= text.count("\n") + 1


def test_a_digest_needs_the_key() -> None:
    assert keyed_digest("a", b"k") == keyed_digest("a", b"k") != keyed_digest("a", b"other")
    assert keyed_digest("a", b"k" * 100) != keyed_digest("b", b"k" * 100)
    assert "a" * 8 not in keyed_digest("a" * 8, b"")


def test_spans_hold_what_is_told_in_any_file() -> None:
    value, _ = drawn("{a32}", random.Random(6))
    text = f"api_key: {value}\n"
    ((start, end),) = secret_spans(text)
    assert text[start:end] == value
    assert secret_spans('api_key = "your_api_key_here"') == []
