/** Whether the name of a file says that all of it is a secret, which its text need not show: `db_password.txt`. */
import { isSecretSetting } from "#importers/hidden-values.ts";

/** The names of files that hold one key, token or password. */
const ofSecret = /\.(?:key|secret|token|password|passwd|pass|p8|p12|pfx|jwt|jks)$/i;
/** Files of passwords by the names that programs give them, and environments: `.env`, `prod.env`, `.env.local`. */
const ofProgram =
  /(?:(?:^|\/)(?:\.?htpasswd|[._]netrc|\.?pgpass(?:\.conf)?|\.git-credentials|\.pypirc|\.dockercfg|id_(?:rsa|dsa|ecdsa|ed25519)|\.env\.(?!example|sample|template|dist)[\w-]+)|\.env)$/i;
/** Programs, templates, pages and public keys: their names tell of what they do. */
const plain =
  /\.(?:sh|bash|zsh|py|rb|js|mjs|cjs|ts|go|ps1|bat|cmd|sql|rego|tpl|tftpl|tmpl|j2|md|html?|css|pub|crt|cer|csr)$/i;
const folder = /^(?:secrets?|credentials?|passwords?|tokens?)$/i;

export function isSecretFile(path: string): boolean {
  if (ofSecret.test(path)) return true;
  if (plain.test(path)) return false;
  if (ofProgram.test(path)) return true;
  const steps = path.split("/");
  const name = steps.pop() ?? "";
  return steps.some((step) => folder.test(step)) || isSecretSetting(name.replace(/\.[^.]*$/, ""));
}
