/** Recognises secrets by the form of the lines around them: settings, YAML lists, `chpasswd` and `.netrc`. */

/** `secret_key = word` as a whole line. A reference such as `var.word` is none. */
const setting =
  /^[ \t]{0,40}["']?(?:[\w.-]{0,60}[_.-])?(?:password|passwd|passphrase|pwd|secret|token|(?:secret|api|access|auth|signing)[_-]?key)["']?[ \t]{1,40}=[ \t]{0,40}(?!(?:true|false|null|none|yes|no|\d{1,3})[ \t]{0,40}$)(?![a-z_]\w{0,80}\.[a-z_]\w{0,80}(?:\.|[ \t]{0,40}$))[^\s"'$<{=(,[][^\s"'(,]{0,500}[ \t]{0,40}$/im;

const several = /(?:passwords|passwds|passphrases|tokens|api[_-]?keys|secret[_-]?keys)["']?:/;
/** An item with a colon is a map: `- name: word`. */
const list = new RegExp(
  `${several.source}(?:[ \\t]{0,40}\\r?\\n[ \\t]{0,80}-[ \\t]{1,40}["']?[^\\s"'$<{&*:][^\\s:]{0,500}[ \\t]{0,40}$|[ \\t]{0,40}\\[[ \\t]{0,40}["']?[^\\s"'$<{\\]])`,
  "im",
);

/** A password or its hash. `R` and `RANDOM` ask for a random one. */
const account =
  /[a-z_][\w.-]{0,31}:(?!\$[{(A-Za-z_]|(?:R|RANDOM)["']?[ \t]{0,40}$)[^\s:"'/<{][^\s:"']{0,200}/;
const changed = new RegExp(
  [
    `^[ \\t]{0,80}(?:-[ \\t]{1,40})?["']?${account.source}["']?[ \\t]{0,40}$`,
    `\\b${account.source}["']?\\s{0,9}\\|\\s{0,9}(?:sudo\\s{1,9})?(?:/usr/sbin/)?chpasswd`,
    `chpasswd\\s{0,9}<<<\\s{0,9}["']?${account.source}`,
  ].join("|"),
  "m",
);

const netrc =
  /(?:^|\s)(?:machine\s{1,9}[^\s]{1,200}|default)\s{1,9}(?:login\s{1,9}[^\s]{1,200}\s{1,9})?password\s{1,9}[^\s$<{]/;

export function lineHasSecret(text: string): boolean {
  if (setting.test(text) || list.test(text)) return true;
  if (text.includes("chpasswd") && changed.test(text)) return true;
  return text.includes("password") && netrc.test(text);
}
