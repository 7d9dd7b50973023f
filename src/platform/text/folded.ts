/**
 * The text in the form in which texts are searched: equal for texts that differ in upper and lower case or in how Unicode
 * encodes their characters. Upper case, as there is one capital for several small letters (Σ: σ, ς) and none depends on
 * its place in a word. Turkish İ and ı count as i, ß as ss. Idempotent; a text becomes at most 18 times as long.
 */
export function folded(text: string): string {
  const capitals = text.normalize("NFKC").toLowerCase().toUpperCase().normalize("NFKC");
  return capitals.replace(/İ\u0307*/g, "I").normalize("NFKC");
}
