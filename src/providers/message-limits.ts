/** The lengths of what is kept of a cloud's words, in characters. */
const MAX_MESSAGE_LENGTH = 2_000;
const MAX_CODE_LENGTH = 100;
const MAX_PERMISSION_LENGTH = 200;
/** A longer text is not quoted at all: to search it for every secret would take too long. */
const MAX_QUOTED_LENGTH = 64 * 1024;

interface Told {
  code: string;
  message: string;
  permission?: string;
}

/** The words within their limits. Secrets are redacted before: of one that is cut, nobody finds the rest. */
export function withinLimits<T extends Told>(told: T): T {
  const { code, message, permission } = told;
  return {
    ...told,
    code: code.slice(0, MAX_CODE_LENGTH),
    message: shortened(message),
    ...(permission !== undefined && { permission: permission.slice(0, MAX_PERMISSION_LENGTH) }),
  };
}

/** The start of a message from which secrets are redacted. */
export function shortened(message: string): string {
  return message.length > MAX_MESSAGE_LENGTH
    ? `${message.slice(0, MAX_MESSAGE_LENGTH - 1)}…`
    : message;
}

/** A text that is to be searched for secrets, or how long it is. */
export function quotable(text: string): string {
  return text.length > MAX_QUOTED_LENGTH
    ? `a message of ${text.length} characters, which is too long to show`
    : text;
}
