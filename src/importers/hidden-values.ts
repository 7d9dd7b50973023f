/** Which values of a file are secrets, by their names or by what they look like, and what stands in their place. */
import { type Expression, partsOf, referencesIn, withParts } from "./expression.ts";
import { isSecretName } from "./secret-name.ts";
import { saysSecret } from "./secret-texts.ts";

/** `secretName`, `token_ttl`, `passwordPolicy`: words after which a setting is about a secret, and not the secret. */
const aboutSecrets =
  /[_\-. ](?:name|names|id|ids|arn|ref|refs|selector|version|type|enabled|required|length|ttl|policy|path|file|store|class|lifetime|expiration|expiry|validity|duration|period|retention|timeout|age|seconds|minutes|hours|days|units|prevention|rotation|url|uri|endpoint|user|users|officer|reader|role|roles)$/i;

/** The value of a setting with this name is a secret itself: `adminPassword`, but not `secretName`. */
export function isSecretSetting(name: string): boolean {
  // Whether an instance asks for tokens.
  if (/^http_?tokens$/i.test(name)) return false;
  if (name === "secrets" || !isSecretName(name)) return false;
  return !aboutSecrets.test(name.slice(0, 256).replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

const lastWord =
  /(?:^|[_\-. ])(?:password|passwd|passphrase|pwd|secret|token|credential|(?:api|private|access)[_-]?key|connection[_-]?string)(s?)$/i;

const plainNames =
  /^(?:name|username|user|engine|host|port|dbname|database|type|version|id|path|region)$/i;

/** Beside a secret, what tells what it is for. */
export function tellsOfSecret(name: string): boolean {
  return plainNames.test(name);
}

/**
 * How a map with this name holds secrets: each member is one (`passwords`), or those that do not say what they are for
 * (`credentials`, and the maps in either); undefined: it holds none for its name. A map `token-service` is about one.
 */
export function secretsOfMap(name: string): "all" | "some" | undefined {
  const words = name.slice(0, 256).replace(/([a-z0-9])([A-Z])/g, "$1_$2");
  const [found, several] = lastWord.exec(words) ?? [];
  if (found === undefined) return undefined;
  return several === "s" && !/credentials$/i.test(words) ? "all" : "some";
}

/** Whether a member of a map in a map of secrets is about one: `username`, `length`, `valueFrom`. An address may hold one. */
export function isAboutSecret(name: string): boolean {
  if (plainNames.test(name) || /^value_?from$/i.test(name)) return true;
  const words = `_${name.slice(0, 256).replace(/([a-z0-9])([A-Z])/g, "$1_$2")}`;
  return aboutSecrets.test(words) && !/(?:url|uri|endpoint)$/i.test(name);
}

/** Whatever is shorter holds no `password=…`. One class of characters: more would take quadratic time. */
const base64 = /^[A-Za-z0-9+/=\s]{12,}$/;

/**
 * A text that holds a secret whatever its name is: a URL with a user or a query, the address of a webhook, a private key, a
 * token, `password=…`, also in base64, as the first commands of a machine are given.
 */
export function holdsSecret(text: string): boolean {
  return saysSecret(text) || (base64.test(text) && saysSecret(decoded(text)));
}

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}

/** Stands for a value that is not kept. */
export function hidden(line: number): Expression {
  return { kind: "opaque", text: "", references: [], line };
}

/** Whether the expression stands for a value that is not kept. */
export function isHidden(expression: Expression): boolean {
  return expression.kind === "opaque" && expression.text === "";
}

/** The end of a text before a secret: `password=`, `"token": "`. In `…:secret:` of an address, a name follows. */
const beforeSecret =
  /(?:password|passwd|pwd|secret|token|(?:api|access|account)[_-]?key)(?:["']? ?= ?|["'] ?: ?|: )["']?$/i;
/** As in a URL, of which the user may be computed. */
const beforePassword = /(?:^|:\/\/[^/@\s:]{0,80}):$/;

/** Whether what stands around a part of a text says that it is a secret. */
export function isSaidSecret(parts: readonly Expression[], index: number): boolean {
  if (parts[index]?.kind === "literal") return false;
  const before = textAt(parts[index - 1]).slice(-100);
  if (beforeSecret.test(before)) return true;
  return textAt(parts[index + 1]).startsWith("@") && beforePassword.test(before);
}

function textAt(part: Expression | undefined): string {
  return part?.kind === "literal" ? String(part.value) : "";
}

/** Whether a type has a default that is not kept, which its text would tell: `optional(string, "…")`. */
export function tellsDefault(type: Expression, isSecret: boolean): boolean {
  const waiting: Expression[] = [type];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const [, initial] = at.kind === "call" && at.name === "optional" ? at.args : [];
    if (initial !== undefined && (isSecret || isHidden(initial))) return true;
    for (const part of partsOf(at)) waiting.push(part);
  }
  return false;
}

/** The same without its texts and numbers; what it refers to stays, and whether a text says that it is a secret. */
export function withoutLiterals(expression: Expression, line: number): Expression {
  if (expression.kind === "opaque") return { ...expression, text: "" };
  if (expression.kind === "text") {
    const parts = expression.parts.map((part, at): Expression => {
      const left = withoutLiterals(part, line);
      const isSaid = isSaidSecret(expression.parts, at);
      return isSaid ? { kind: "call", name: "sensitive", args: [left], line } : left;
    });
    return { kind: "text", parts };
  }
  if (expression.kind !== "literal")
    return withParts(expression, (part) => withoutLiterals(part, line));
  const { value } = expression;
  return typeof value === "string" || typeof value === "number" ? hidden(line) : expression;
}

/** `--db-password`, `--requirepass`: an option of a command whose argument is a secret. */
const secretOption = (text: string): boolean => {
  const [, name] = /^--?([A-Za-z][\w-]{0,80})$/.exec(text) ?? [];
  return name !== undefined && (isSecretSetting(name) || /pass$/i.test(name));
};

/**
 * The items of a list, as a command has them one by one, without the arguments of options that are secrets:
 * `["--password", "word"]`. What refers to something stays.
 */
export function withoutSecretArguments(items: readonly Expression[], line: number): Expression[] {
  return items.map((item, at) => {
    const before = items[at - 1];
    const isArgument =
      before?.kind === "literal" &&
      typeof before.value === "string" &&
      secretOption(before.value) &&
      !(item.kind === "literal" && String(item.value).startsWith("-"));
    return isArgument ? withoutLiterals(item, line) : item;
  });
}

/** What the source marks as a secret: where it refers to nothing, it is the secret itself. */
export function withoutMarked(expression: Expression, line: number): Expression {
  return referencesIn(expression).length === 0 ? withoutLiterals(expression, line) : expression;
}
