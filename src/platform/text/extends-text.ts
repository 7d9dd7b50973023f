/**
 * Whether `sent` names the version `shown` by its beginning up to a dot or hyphen, or as `latest`: `1.34` names
 * `1.34.1-do.0`.
 */
export function extendsText(sent: unknown, shown: unknown): boolean {
  if (typeof sent !== "string" || typeof shown !== "string") return false;
  if (sent === shown || sent === "latest") return true;
  return sent !== "" && (shown.startsWith(`${sent}.`) || shown.startsWith(`${sent}-`));
}
