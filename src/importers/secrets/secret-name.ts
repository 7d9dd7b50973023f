const secretWords =
  /(?:^|[_\-. /])(?:password|passwords|passwd|passphrase|passphrases|passcode|pass|pwd|pw|secret|secrets|token|tokens|apikey|apikeys|credential|credentials|cred|creds|pat|connectionstring|connectionstrings)(?:$|[_\-. /])|(?:api|private|access|master|encryption|signing|session|jwt|hmac|account|shared|license|webhook|service[_-]?account)[_-]?key|connection[_-]?string|protected[_-]?settings|(?:^|[_\-. ])(?:db|smtp|redis|mysql|postgres|pg|mail|ftp|ldap|admin|root|user)pass(?:$|[_\-. ])|(?:^|[_\-. ])(?:sql|admin|db|root|user|my|pg|redis|master|smtp|ftp|ssh|vm|os|app){1,3}pwd?(?:$|[_\-. ])|(?:password|passwd|passphrase|secret|token)s?(?:$|[_\-. ])/i;

/** Whether the name of a variable or setting marks its value as a secret: `db_password`, `apiKey`, `DB_PASS`. */
export function isSecretName(name: string): boolean {
  return secretWords.test(parted(name));
}

/** The name with its words apart: `DBPassword` as `DB_Password`. */
export function parted(name: string): string {
  return name
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2");
}
