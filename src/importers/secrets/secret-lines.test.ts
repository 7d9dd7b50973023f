import { expect, it } from "vitest";
import { holdsSecret } from "#importers/hidden-values.ts";
import { processorTime } from "#test/support/processor-time.ts";

const file = btoa("[db]\npassword=word\n");
const long = btoa(`${"a plain line of a file\n".repeat(4)}password=word\n`);

it.for([
  "secret_key = word",
  "[s3]\naccess_key_id = a\nsecret_key = word\nregion = b",
  "secret_key=word",
  "db.password = word",
  "passphrase: word",
  "passwords:\n  - word\n  - other",
  'users: 1\ndb_passwords:\n- "word"',
  "passwords: [word, other]",
  "#cloud-config\nchpasswd:\n  list: |\n    root:word\n",
  "chpasswd:\n  list:\n    - root:word\n",
  "chpasswd:\n  list: |\n    root:$6$salt$hash\n",
  "echo 'root:word' | sudo chpasswd",
  'echo "root:word"|chpasswd',
  "chpasswd <<< root:word",
  "machine x.example login a password word",
  "machine x.example\n  login a\n  password word",
  "default login a password word",
  `write_files:\n  - path: /a\n    encoding: b64\n    content: ${file}\n    owner: root`,
  `echo ${file} | base64 -d > /a`,
  `content: |\n  ${long.match(/.{1,76}/g)?.join("\n  ")}\nowner: root`,
])("finds the secret in %j", (text) => {
  expect(holdsSecret(text)).toBe(true);
});

it.for([
  "password_policy = strict",
  "secret_key_ref = app",
  "secretKeyRef:\n  name: app\n  key: db",
  "- secretKey: DB_PASS",
  "password = var.password",
  "secret = aws_secretsmanager_secret.app.arn",
  "token = event.token",
  "token = false",
  "token = ${token}",
  'x = token == "" ? 1 : 2',
  "passwords:\n  - name: app",
  "passwords:\n  - $WORD",
  "passwords: []",
  "secrets:\n  - db_password",
  "imagePullSecrets:\n  - name: registry",
  "chpasswd:\n  expire: False\n  list: |\n    root:RANDOM\n    app:$WORD\n",
  "chpasswd: { expire: false }\npackages:\n  - nginx",
  "wash the machine and set a password later",
  "The machine needs a password",
  "projects/shop/locations/europe/repositories/images",
  `content: ${btoa("[db]\nhost=localhost\n")}`,
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
])("finds none in %j", (text) => {
  expect(holdsSecret(text)).toBe(false);
});

it.for([
  "password ",
  "passwords:\n - ",
  "a_",
  "chpasswd\na:",
  "chpasswd a:b",
  "machine x login ",
  "secret_key \t",
  "AAAA",
  `${"A".repeat(76)}\n`,
  "passwords: \t",
])("takes time linear to a text of %j", (piece) => {
  const taken = processorTime();
  holdsSecret(piece.repeat(Math.ceil(500_000 / piece.length)));
  expect(taken()).toBeLessThan(2_000);
});
