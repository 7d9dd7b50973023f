const secretWords =
  /(?:^|[_\-. ])(?:password|passwords|passwd|passphrase|passphrases|pwd|secret|secrets|token|tokens|apikey|apikeys|credential|credentials|connectionstring|connectionstrings)(?:$|[_\-. ])|api[_-]?key|private[_-]?key|access[_-]?key|connection[_-]?string/i;

/** The name of a variable or setting says that its value is a secret: `db_password`, `apiKey`, `DB_PASSWORD`. */
export function isSecretName(name: string): boolean {
  return secretWords.test(name.slice(0, 256).replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}
