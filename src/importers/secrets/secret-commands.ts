/** Recognises secrets in the commands of known programs, whose short options do not name them. */

/** Programs that take a password in an option of one letter. `joined`: the password follows without a space. */
const programs: readonly { program: RegExp; option: string; isJoined?: boolean }[] = [
  { program: /^(?:mysql|mariadb)[\w-]{0,20}$/, option: "-p", isJoined: true },
  { program: /^redis-cli$|^valkey-cli$/, option: "-a" },
  { program: /^(?:sshpass|mongo|mongosh|mongodump|mongorestore|mongoexport)$/, option: "-p" },
  { program: /^ldap[a-z]{1,20}$/, option: "-w" },
  { program: /^sqlcmd$/, option: "-P" },
];
/** Options whose argument is a user with a password. */
const userOption = /^(?:-u|-U|--user|--proxy-user|--creds?|--basic-auth)$/;
const userArgument = /^[^\s:/$]{1,100}:(?!\d{1,6}$)[^\s$/][^\s]*$/;
const userAssigned = /^--(?:user|proxy-user|creds?|basic-auth)=(.+)$/;

/** The limits on the words of a text, and on the words before an option that may name its program. */
const MAX_WORDS = 4_000;
const MAX_BEFORE = 40;

/** Whether a word of a command is a secret, by the words before it. */
export function isSecretWord(words: readonly string[], at: number): boolean {
  const word = words[at] ?? "";
  const before = words[at - 1] ?? "";
  const [, assigned] = userAssigned.exec(word) ?? [];
  if (assigned !== undefined && userArgument.test(assigned)) return true;
  if (userOption.test(before) && userArgument.test(word)) return true;
  if (/^--?[\w-]{0,40}pass$|^--?masterauth$/i.test(before)) return isGiven(word);
  if (!/^-[A-Za-z]/.test(word) && !/^-[A-Za-z]$/.test(before)) return false;
  const own = commandBefore(words, at);
  const first = own.find((one) => !/^[A-Za-z_]\w*=/.test(one)) ?? "";
  const program = first.slice(first.lastIndexOf("/") + 1);
  // The arguments of a container may stand without their program: `-uroot -pword`.
  const isOfDatabase = program.startsWith("-") && own.some((one) => one.startsWith("-u"));
  if (isOfDatabase && word.startsWith("-p")) return isGiven(word.slice(2));
  return programs.some(({ program: named, option, isJoined = false }) => {
    if (!named.test(program)) return false;
    return isJoined
      ? word.startsWith(option) && isGiven(word.slice(option.length))
      : before === option && isGiven(word);
  });
}

function isGiven(word: string): boolean {
  return word !== "" && !/^[-$<{]/.test(word);
}

/** The words before a word of a command, up to the sign that ends another one. */
function commandBefore(words: readonly string[], at: number): readonly string[] {
  let start = at;
  while (start > 0 && at - start < MAX_BEFORE && !ends.test(words[start - 1] ?? "")) start -= 1;
  return words.slice(start, at);
}

const ends = /^(?:do|then|exec|if|!)$|[;|&({]$/;

/** Whether the text of a command has a secret in an option of a known program: `mysqladmin -proot ping`. */
export function commandHasSecret(text: string): boolean {
  if (!/\s-{1,2}[A-Za-z]/.test(text)) return false;
  const words = text.split(/[\s"'`()]+/, MAX_WORDS).filter((word) => word !== "");
  return words.some((_, at) => isSecretWord(words, at));
}
