import { expect, it } from "vitest";
import { isSecretFile } from "./secret-file.ts";

it.each([
  "db_password.txt",
  "secrets/db",
  "a/credentials/x.json",
  "wg.key",
  "api-token",
  "x.jwt",
  "a/.env",
  ".env.local",
  "prod.env",
  "nginx/.htpasswd",
  ".pgpass",
  "keys/id_rsa",
])("%s holds a secret", (path) => {
  expect(isSecretFile(path)).toBe(true);
});

it.each([
  "rotate-password.sh",
  "secrets/app.tpl",
  "policy.json",
  "secret-policy.json",
  "key.pub",
  ".env.example",
  "id_rsa.pub",
])("%s holds none", (path) => {
  expect(isSecretFile(path)).toBe(false);
});
