/** Texts that hold a secret whatever their name is: by their form, or by what stands before it in them. */
import { isPlainSetting } from "./plain-setting.ts";

const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY|AGE-SECRET-KEY-1|PuTTY-User-Key-File/;
const assigned =
  /(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|shared[_-]?access[_-]?key|instrumentation[_-]?key|(?:^|[\s;&,"'{_-])(?:pass|pat|creds?))["']?(?:[=:] ?["']?[^\s"'=&;,$<{]| [=:] ?["'][^\s"'$<{])/i;
/** `Server=db;User Id=app;…`, as drivers of databases and clients of queues take them. */
const connection =
  /(?:^|[;"'])\s{0,3}(?:server|data source|addr|network address|accountname|defaultendpointsprotocol|endpoint|hostname|user id|uid)\s?=\s?[^;=]{1,300};/i;
/** `--db-password word`, as it follows in the text of a command. */
const option =
  /(?:^|\s)--?[a-z-]{0,40}(?:password|passwd|passphrase|secret|token|api-?key|access-?key)\s{1,9}["']?[^\s"'$<{-]/i;
/** The whole of a header `Authorization`, but for what only names its kind: `Basic authentication`. */
const authorization = /^(?:Basic|Bearer) (?![A-Za-z][a-z]*$)[\w+/.~-]{8,4000}={0,2}$/i;
const signature = /(?:^|[?&;])(?:sig|signature|x-amz-signature|x-goog-signature)=[^&\s$]/i;

/** Characters of the shortest token. */
const MIN_TOKEN = 12;

/** What vendors begin or form their tokens with. */
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

/** Addresses that whoever knows them may post to. */
const webhooks =
  /:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:[\w-]{1,40}\.)?discord(?:app)?\.com\/api\/webhooks|[\w.-]{1,100}\.webhook\.office\.com|outlook\.office(?:365)?\.com\/webhook|[\w.-]{1,100}\.logic\.azure\.com|chat\.googleapis\.com\/v1\/spaces|api\.telegram\.org\/bot|hooks\.zapier\.com|hook\.[\w.]{1,20}make\.com|maker\.ifttt\.com|events\.pagerduty\.com\/integration|[\w.-]{1,100}\.ingest\.[\w.]{0,10}sentry\.io|mattermost\.[\w.-]{1,100}\/hooks)\/?[^\s"'<>]/i;

const url = /:\/\/([^\s"'<>]{1,2000})/g;
/** The user of a repository has this name at all of them. */
const plainUser = /^git@/;
const version =
  /^(?:v?\d{1,6}(?:\.\d{1,6}){0,3}(?:[-+][\w.]{1,20})?|\d{4}-\d{2}-\d{2}(?:-preview)?|main|master|latest)$/;
const versionName = /^(?:ref|v|ver|version|tag|branch|depth|api-version|revision)$/i;

/** Whether the text says a secret, as it is. */
export function saysSecret(text: string): boolean {
  // Most texts are words.
  if (text.length < MIN_TOKEN && !/[=:]/.test(text)) return false;
  if (assigned.test(text) || connection.test(text) || signature.test(text)) return true;
  if (option.test(text) || authorization.test(text)) return true;
  if (privateKey.test(text) || token.test(text)) return true;
  if (!text.includes("://")) return false;
  if (webhooks.test(text)) return true;
  for (const [, rest = ""] of text.matchAll(url)) if (isSecretUrl(rest)) return true;
  return false;
}

/** What stands behind the scheme: somebody's name before the host, a value in the query, or a path that nobody guesses. */
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

/** A word that nobody thinks of: a key, and no name. */
export function isRandom(word: string): boolean {
  if (word.length < 20 || word.length > 500) return false;
  if (/^[0-9a-f]{32,}$/i.test(word)) return true;
  return /^[\w.~+/=-]+$/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
}
