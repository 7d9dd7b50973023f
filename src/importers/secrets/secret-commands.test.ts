import { expect, it } from "vitest";
import { commandHasSecret, isSecretWord } from "./secret-commands.ts";

it.for([
  "mysqladmin -uroot -pword ping",
  "sleep 5 && /usr/bin/mysql -h db -u root -pword -e 'select 1'",
  "MYSQL_HOST=db mysqldump -pword",
  "redis-cli -h x -a word ping",
  "redis-server --requirepass word",
  "sshpass -p word ssh a@b",
  "mongosh -u admin -p word",
  "ldapsearch -D cn=x -w word",
  "curl -fsS -u user:word https://x",
  "curl --user=user:word https://x",
])("finds the secret in `%s`", (text) => {
  expect(commandHasSecret(text)).toBe(true);
});

it.for([
  "mysqladmin -uroot -p$MYSQL_ROOT_PASSWORD ping",
  "mysql -p -u root",
  "nginx -p /srv",
  "mkdir -p /data && redis-cli -h x ping",
  "docker run -u 1000:1000 -p 80:80 x",
  "redis-cli -a $WORD",
  "ssh -p 22 x",
  "curl -u $USER:$WORD https://x",
  "mysql -h db | tee -apart",
  "no options",
])("finds none in `%s`", (text) => {
  expect(commandHasSecret(text)).toBe(false);
});

it("finds the secret among arguments without their program", () => {
  expect(isSecretWord(["-uroot", "-pword"], 1)).toBe(true);
  expect(isSecretWord(["-d", "-p8080"], 1)).toBe(false);
});

it("takes time linear to the text", () => {
  const text = "mysql -x ".repeat(100_000);
  const start = performance.now();
  expect(commandHasSecret(text)).toBe(false);
  expect(performance.now() - start).toBeLessThan(2_000);
});
