/**
 * Who is an operator when signed in: the variable `OPERATORS`, comma-separated. An entry is an identity,
 * `issuer|subject`, or an e-mail address, which counts only when a provider that is trusted for addresses has
 * verified it. The list is asked at every request: whoever is taken off it is an operator no more.
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
