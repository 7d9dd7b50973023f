/**
 * The list of operators: the variable `OPERATORS`, comma-separated. An entry is an identity, `issuer|subject`, or an
 * e-mail address, which counts only if a provider trusted for addresses has verified it. The list is checked with every
 * request, so the removal of an entry takes effect at once.
 */
export interface KnownUser {
  issuer: string | null;
  subject: string | null;
  email: string;
  emailTrusted: boolean | number;
}

export function isOperator(operators: string | undefined, user: KnownUser): boolean {
  const { issuer, subject, email, emailTrusted } = user;
  const entries = (operators ?? "").split(",").map((entry) => entry.trim());
  return entries.some((entry) => {
    if (entry.includes("|")) return issuer !== null && entry === `${issuer}|${subject}`;
    return entry.includes("@") && Boolean(emailTrusted) && entry.toLowerCase() === email;
  });
}
