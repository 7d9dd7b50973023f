/**
 * Whether `shown` is the version that `sent` names by its beginning, up to a dot or a hyphen, or as `latest`: `1.34` is
 * shown as `1.34.1-do.0`.
 */
export function extendsText(sent: unknown, shown: unknown): boolean {
  if (typeof sent !== "string" || typeof shown !== "string") return false;
  if (sent === shown || sent === "latest") return true;
  return sent !== "" && (shown.startsWith(`${sent}.`) || shown.startsWith(`${sent}-`));
}
