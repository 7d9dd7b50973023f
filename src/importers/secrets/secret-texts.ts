/** Recognises texts that hold a secret whatever their name: by their form, or by the words before the secret. */
import { isPlainSetting } from "./plain-setting.ts";
import { commandHasSecret } from "./secret-commands.ts";
import { lineHasSecret } from "./secret-lines.ts";

const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY|AGE-SECRET-KEY-1|PuTTY-User-Key-File/;
const assigned =
  /(?:password|passwd|passphrase|pwd|secret|token|(?:secret|signing|auth)[_-]key|api[_-]?key|access[_-]?key|account[_-]?key|shared[_-]?access[_-]?key|instrumentation[_-]?key|(?:^|[\s;&,"'{_-])(?:pass|pat|creds?))["']?(?:[=:] ?["']?[^\s"'=&;,$<{]| [=:] ?["'][^\s"'$<{])/i;
/** `Server=db;User Id=app;…`: a connection string of a database driver or a queue client. */
const connection =
  /(?:^|[;"'])\s{0,3}(?:server|data source|addr|network address|accountname|defaultendpointsprotocol|endpoint|hostname|user id|uid)\s?=\s?[^;=]{1,300};/i;
/** `--db-password word` in the text of a command. */
const option =
  /(?:^|\s)--?[a-z-]{0,40}(?:password|passwd|passphrase|secret|token|api-?key|access-?key)\s{1,9}["']?[^\s"'$<{-]/i;
/** A whole `Authorization` header. A text that only names the kind does not match: `Basic authentication`. */
const authorization = /^(?:Basic|Bearer) (?![A-Za-z][a-z]*$)[\w+/.~-]{8,4000}={0,2}$/i;
const signature = /(?:^|[?&;])(?:sig|signature|x-amz-signature|x-goog-signature)=[^&\s$]/i;

/** The length of the shortest token, in characters. */
const MIN_TOKEN = 12;

/** The prefixes and forms of vendors' tokens. */
const token = new RegExp(
  [
    /\bgh[opsur]_[A-Za-z0-9]{16}|\bgithub_pat_[A-Za-z0-9_]{16}|\bglpat-[\w-]{16}|\bglrt-[\w-]{16}/,
    /\bxox[abeoprs]-[\w-]{8}|\bxapp-\d-[\w-]{8}/,
    /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12}|\bAIza[\w-]{30}|\bya29\.[\w-]{16}|\bGOCSPX-[\w-]{16}/,
    /\b[srp]k_(?:live|test)_[A-Za-z0-9]{8}|\bwhsec_[A-Za-z0-9]{16}|\bsk-[A-Za-z0-9_-]{20}/,
    /\bSG\.[\w-]{16,32}\.[\w-]{16}|\bkey-[0-9a-f]{32}\b|\bnpm_[A-Za-z0-9]{30}|\bpypi-[\w-]{16}/,
    /\bdo[opr]_v1_[0-9a-f]{32}|\bhv[bs]\.[\w-]{16}|\bshp(?:at|ca|pa|ss)_[0-9a-f]{32}|\bcpk_\w{6,40}_\w{40}/,
    /\bdapi[0-9a-f]{32}|\bATATT3[\w=-]{16}|\bATCTT3[\w=-]{16}|\bNRAK-[A-Z0-9]{20}|\bglc_[\w=+/-]{20}|\bsbp_[0-9a-f]{32}/,
    /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Webhook addresses: knowing one is enough to post to it. */
const webhooks =
  /:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:[\w-]{1,40}\.)?discord(?:app)?\.com\/api\/webhooks|[\w.-]{1,100}\.webhook\.office\.com|outlook\.office(?:365)?\.com\/webhook|[\w.-]{1,100}\.logic\.azure\.com|chat\.googleapis\.com\/v1\/spaces|api\.telegram\.org\/bot|hooks\.zapier\.com|hook\.[\w.]{1,20}make\.com|maker\.ifttt\.com|events\.pagerduty\.com\/integration|[\w.-]{1,100}\.ingest\.[\w.]{0,10}sentry\.io|mattermost\.[\w.-]{1,100}\/hooks)\/?[^\s"'<>]/i;

const url = /:\/\/([^\s"'<>]{1,2000})/g;
/** The user name of every Git host. */
const plainUser = /^git@/;
const version =
  /^(?:v?\d{1,6}(?:\.\d{1,6}){0,3}(?:[-+][\w.]{1,20})?|\d{4}-\d{2}-\d{2}(?:-preview)?|main|master|latest)$/;
const versionName = /^(?:ref|v|ver|version|tag|branch|depth|api-version|revision)$/i;

/** Whether the text holds a secret, without decoding. */
export function saysSecret(text: string): boolean {
  // A fast exit for most texts.
  if (text.length < MIN_TOKEN && !/[=:]/.test(text)) return false;
  if (assigned.test(text) || connection.test(text) || signature.test(text)) return true;
  if (option.test(text) || authorization.test(text) || commandHasSecret(text)) return true;
  if (lineHasSecret(text)) return true;
  if (privateKey.test(text) || token.test(text)) return true;
  if (!text.includes("://")) return false;
  if (webhooks.test(text)) return true;
  for (const [, rest = ""] of text.matchAll(url)) if (isSecretUrl(rest)) return true;
  return false;
}

/**
 * Whether the part of a URL after its scheme holds a secret: a user before the host, a value in the query, or a random
 * path.
 */
function isSecretUrl(rest: string): boolean {
  const [address = "", query = ""] = rest.split(/[?#]/, 2);
  const host = address.split("/", 1)[0] ?? "";
  if (host.includes("@") && !plainUser.test(host) && !host.startsWith("@")) return true;
  if (address.split("/").slice(1).some(isRandom)) return true;
  return query.split("&").some((setting) => {
    const [name = "", value = ""] = setting.split("=", 2);
    if (value === "" || /^[$%{]/.test(value)) return false;
    return !isPlainSetting(name, value) && !(versionName.test(name) && version.test(value));
  });
}

/** Whether a word is random like a key, and not a name. */
export function isRandom(word: string): boolean {
  if (word.length < 20 || word.length > 500) return false;
  if (/^[0-9a-f]{32,}$/i.test(word)) return true;
  return /^[\w.~+/=-]+$/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
}
