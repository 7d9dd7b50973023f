/** A cloud's words with what to do about them, as sentences; the words alone where there is no advice. */
export function withAdvice(words: string, advice: string): string {
  if (advice === "") return words;
  return `${words}${/[.!?:]$/.test(words) ? "" : "."} ${advice}`;
}
