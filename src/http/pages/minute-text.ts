/** `2026-11-20 12:00 UTC`. */
export function minuteText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
