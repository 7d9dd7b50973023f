/** Messages of other tools quote the values that they found. This removes the words that could be secrets. */
import { isSecretName } from "./secret-name.ts";
import { isRandom, saysSecret } from "./secret-texts.ts";

/** The placeholder in a message for a word that is not kept. */
const HIDDEN = "[hidden]";

const block = /-----BEGIN [A-Z ]{0,40}-----[\s\S]{0,20000}/g;
/** `NAME=value`, `"name": "value"`. The value ends at its quotation mark or the next space. */
const pair =
  /((?:^|[\s"'`,;{(])[A-Za-z_][\w.-]{0,80}["']?)(\s?=\s?|["']\s{0,3}:\s{0,3}|:\s{1,3}(?=["'`])|=)(["'`]?)([^\s"'`,;})]{1,500})/g;
const quoted = /(["'`])([^"'`\n]{3,500})\1/g;
/** Words that announce a quoted secret. */
const aboutSecret = /\b(?:password|passwd|secret|token|credential|key|passphrase)s?\b/i;
const said =
  /\b((?:password|passwd|secret|token|passphrase|api key|access key)s?\s(?:is|was|of|value)?\s?:?)(\s?)([^\s"'`]*\d[^\s"'`]*)/gi;
const plainWord = /^(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)$/;

/** The message without words that look like secrets. */
export function withoutSecretWords(message: string): string {
  const isAbout = aboutSecret.test(message);
  return message
    .replace(block, HIDDEN)
    .replace(pair, (whole, name: string, sign: string, quote: string, value: string) =>
      isKept(name, value) ? whole : `${name}${sign}${quote}${HIDDEN}`,
    )
    .replace(quoted, (whole, quote: string, value: string) =>
      isAbout && /\d/.test(value) && !isAddress(value) ? `${quote}${HIDDEN}${quote}` : whole,
    )
    .replace(said, (_, before: string, space: string) => `${before}${space}${HIDDEN}`)
    .split(/(\s+)/)
    .map((word) => (hidesSecret(word) ? HIDDEN : word))
    .join("");
}

/**
 * Whether a message may show this value. Names in upper case are settings of a program; other settings mostly have a
 * plain word.
 */
function isKept(name: string, value: string): boolean {
  if (/^(?:true|false|null|\d{1,5})$/i.test(value)) return true;
  const own = name.replace(/[^\w.-]/g, "");
  return !/^[A-Z][A-Z0-9_]+$/.test(own) && !isSecretName(own) && plainWord.test(value);
}

function isAddress(text: string): boolean {
  return /^(?:module\.|data\.)?[a-z_]\w*\.[\w.[\]-]+$/i.test(text) || /^\w+(?:::\w+)+$/.test(text);
}

function hidesSecret(word: string): boolean {
  if (word.length < 8) return false;
  const bare = word.replace(/^[^\w]+|[^\w=/+]+$/g, "");
  return saysSecret(word) || isRandom(bare);
}
