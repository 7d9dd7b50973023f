/** Decides which values of a file are secrets, by their names or their text, and replaces them. */
import { type Expression, partsOf, referencesIn, withParts } from "./expression.ts";
import { isSecretWord } from "./secrets/secret-commands.ts";
import { isSecretName, parted } from "./secrets/secret-name.ts";
import { saysSecret } from "./secrets/secret-texts.ts";

/** Last words of names about a secret, which do not hold it: `secretName`, `token_ttl`, `passwordPolicy`. */
const aboutSecrets =
  /[_\-. ](?:name|names|id|ids|arn|ref|refs|selector|version|type|enabled|required|length|ttl|policy|path|file|store|class|lifetime|expiration|expiry|validity|duration|period|retention|timeout|age|seconds|minutes|hours|days|units|prevention|rotation|url|uri|endpoint|user|users|officer|reader|role|roles)$/i;

/** Whether a setting of this name holds a secret: `adminPassword` does, `secretName` does not. */
export function isSecretSetting(written: string): boolean {
  // The issuer before a claim in a condition may be called after tokens: `token.actions.githubusercontent.com:sub`.
  const name = written.slice(0, 512).replace(/^[\w-]+(?:\.[\w-]+){2,}:/, "");
  // This setting says whether an instance requires tokens.
  if (/^http_?tokens$/i.test(name)) return false;
  if (name === "secrets" || !isSecretName(name)) return false;
  return !aboutSecrets.test(name.slice(0, 256).replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

/** Last words of a variable's name by which it holds no secret, but a text about one: `secret_name`, `token_ttl`. */
const aboutOne =
  /[_\-. ](?:name|arn|version|type|enabled|required|length|ttl|policy|path|file|class|lifetime|expiration|expiry|validity|duration|period|retention|timeout|age|seconds|minutes|hours|days|rotation)$/i;
/** By each user, for each service: the values are the secrets. */
const eachOf = /[_\-. ](?:by|per|for|of)[_\-. ]/i;

/** Whether a variable of this name holds a secret. People choose these names, so less is taken to be about one. */
export function isSecretVariable(name: string, isScalar: boolean): boolean {
  if (!isSecretName(name)) return false;
  const words = parted(name);
  return !isScalar || !aboutOne.test(words) || eachOf.test(words);
}

const lastWord =
  /(?:^|[_\-. ])(?:password|passwd|passphrase|pwd|secret|token|credential|(?:api|private|access)[_-]?key|connection[_-]?string)(s?)$/i;

const plainNames =
  /^(?:name|username|user|engine|host|port|dbname|database|type|version|id|path|region|generateStringKey|excludeCharacters)$/i;

/** Whether a member beside a secret describes it. */
export function describesSecret(name: string): boolean {
  return plainNames.test(name);
}

/**
 * The secrets in a map of this name; undefined for none.
 * - `all`: every member is a secret, as in `passwords`.
 * - `some`: every member that does not describe one is a secret, as in `credentials`.
 */
export function secretsOfMap(name: string): "all" | "some" | undefined {
  const words = name.slice(0, 256).replace(/([a-z0-9])([A-Z])/g, "$1_$2");
  const [found, several] = lastWord.exec(words) ?? [];
  if (found === undefined) return undefined;
  return several === "s" && !/credentials$/i.test(words) ? "all" : "some";
}

/**
 * Whether a member in a map of secrets describes one: `username`, `length`, `valueFrom`. URLs do not count: they may
 * contain a secret.
 */
export function isAboutSecret(name: string): boolean {
  if (plainNames.test(name) || /^value_?from$/i.test(name)) return true;
  const words = `_${name.slice(0, 256).replace(/([a-z0-9])([A-Z])/g, "$1_$2")}`;
  return aboutSecrets.test(words) && !/(?:url|uri|endpoint)$/i.test(name);
}

/** A shorter text holds no `password=…`. The pattern has one class of characters: more would take quadratic time. */
const base64 = /^[A-Za-z0-9+/=\s]{12,}$/;
/** The line of a text in base64 that goes on in the next one. */
const wrapped = /([A-Za-z0-9+/]{60,80})\s{1,80}(?=[A-Za-z0-9+/])/g;
const base64Word = /[A-Za-z0-9+/]{16,}={0,2}/g;

/**
 * Whether a text holds a secret whatever its name: a URL with a user or a query, the address of a webhook, a private
 * key, a token or `password=…`. Texts in base64 are decoded, because start scripts of machines and the files in them are
 * given so.
 */
export function holdsSecret(text: string): boolean {
  if (saysSecret(text)) return true;
  return base64.test(text) ? saysSecret(decoded(text)) : encodedIn(text).some(saysSecret);
}

/** The texts that words of a text hold in base64. */
function encodedIn(text: string): string[] {
  if (text.length < 16) return [];
  const words = text.replace(wrapped, "$1").match(base64Word) ?? [];
  return words
    .map((word) => decoded(word.slice(0, word.length - (word.length % 4))))
    .filter((made) => /^[\t\n\r\x20-\x7e]{12}/.test(made));
}

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}

/** The placeholder of a value that is not kept. */
export function hidden(line: number): Expression {
  return { kind: "opaque", text: "", references: [], line };
}

/** Whether the expression is the placeholder of {@link hidden}. */
export function isHidden(expression: Expression): boolean {
  return expression.kind === "opaque" && expression.text === "";
}

/** The end of a text before a secret: `password=`, `"token": "`. In an ARN, `:secret:` precedes a name. */
const beforeSecret =
  /(?:password|passwd|pwd|secret|token|(?:api|access|account)[_-]?key)(?:["']? ?= ?|["'] ?: ?|: )["']?$/i;
/** The end of a text before the password of a URL, whose user may be computed. */
const beforePassword = /(?:^|:\/\/[^/@\s:]{0,80}):$/;

/** Whether the text around a part marks it as a secret. */
export function isMarkedSecret(parts: readonly Expression[], index: number): boolean {
  if (parts[index]?.kind === "literal") return false;
  const before = textAt(parts[index - 1]).slice(-100);
  if (beforeSecret.test(before)) return true;
  return textAt(parts[index + 1]).startsWith("@") && beforePassword.test(before);
}

function textAt(part: Expression | undefined): string {
  return part?.kind === "literal" ? String(part.value) : "";
}

/** Whether the text of a type would reveal a hidden default: `optional(string, "…")`. */
export function revealsDefault(type: Expression, isSecret: boolean): boolean {
  const waiting: Expression[] = [type];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const [, initial] = at.kind === "call" && at.name === "optional" ? at.args : [];
    if (initial !== undefined && (isSecret || isHidden(initial))) return true;
    for (const part of partsOf(at)) waiting.push(part);
  }
  return false;
}

/**
 * Whether a call of CloudFormation names where a value is, and does not have it: a dynamic reference, or an export of
 * another stack.
 */
export function namesStoredValue(call: Extract<Expression, { kind: "call" }>): boolean {
  const [service] = call.args;
  return (
    call.name === "importValue" ||
    (call.name === "resolve" &&
      service?.kind === "literal" &&
      /^(?:ssm|ssm-secure|secretsmanager)$/.test(String(service.value)))
  );
}

/**
 * Hides the texts and numbers of an expression. References stay, in `sensitive` where the text around them marks a
 * secret.
 */
export function withoutLiterals(expression: Expression, line: number): Expression {
  if (expression.kind === "opaque") return { ...expression, text: "" };
  if (expression.kind === "text") {
    const parts = expression.parts.map((part, at): Expression => {
      const left = withoutLiterals(part, line);
      const isSaid = isMarkedSecret(expression.parts, at);
      return isSaid ? { kind: "call", name: "sensitive", args: [left], line } : left;
    });
    return { kind: "text", parts };
  }
  // The arguments of `pseudo` name a value that only the deployment knows.
  if (expression.kind === "call" && (expression.name === "pseudo" || namesStoredValue(expression)))
    return expression;
  if (expression.kind !== "literal")
    return withParts(expression, (part) => withoutLiterals(part, line));
  const { value } = expression;
  return typeof value === "string" || typeof value === "number" ? hidden(line) : expression;
}

/** Whether a command option takes a secret: `--db-password`, `--requirepass`. */
const secretOption = (text: string): boolean => {
  const [, name] = /^--?([A-Za-z][\w-]{0,80})$/.exec(text) ?? [];
  return name !== undefined && (isSecretSetting(name) || /pass$/i.test(name));
};

/** Hides the arguments of secret options in the items of a command: `["--password", "word"]`. References stay. */
export function withoutSecretArguments(items: readonly Expression[], line: number): Expression[] {
  const words = items.map((item) => (item.kind === "literal" ? String(item.value) : "$"));
  return items.map((item, at) => {
    const before = items[at - 1];
    const isArgument =
      before?.kind === "literal" &&
      typeof before.value === "string" &&
      secretOption(before.value) &&
      !(item.kind === "literal" && String(item.value).startsWith("-"));
    const isWord = item.kind === "literal" && isSecretWord(words, at);
    return isArgument || isWord ? withoutLiterals(item, line) : item;
  });
}

/** Hides a value that the source marks as sensitive and that refers to nothing: it is the secret itself. */
export function withoutMarked(expression: Expression, line: number): Expression {
  return referencesIn(expression).length === 0 ? withoutLiterals(expression, line) : expression;
}
