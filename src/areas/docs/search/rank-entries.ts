import type { SearchEntry } from "./search-entry.ts";

/** The points of a word by the place of its match: a name counts more than a text. */
const POINTS = { name: 40, title: 16, titleStart: 12, call: 8, field: 6, fieldStart: 4, text: 1 };

/** The entries that contain every word of the query, best first; equal ones stay in their order. */
export function rankEntries(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, points: pointsOf(entry, words) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ entry }) => entry);
}

/** 0 if a word is missing. */
function pointsOf(entry: SearchEntry, words: readonly string[]): number {
  const points = words.map((word) => pointsOfWord(entry, word));
  return points.includes(0) ? 0 : points.reduce((sum, each) => sum + each, 0);
}

function pointsOfWord(entry: SearchEntry, word: string): number {
  const title = wordsOf(entry.title);
  const call = entry.call.toLowerCase();
  const fields = entry.fields.map((field) => field.toLowerCase());
  let points = 0;
  if (entry.name.toLowerCase() === word) points += POINTS.name;
  if (title.includes(word)) points += POINTS.title;
  else if (title.some((each) => each.startsWith(word))) points += POINTS.titleStart;
  if (call === word || call.split(/[ /]/).some((part) => part.startsWith(word)))
    points += POINTS.call;
  if (fields.includes(word)) points += POINTS.field;
  else if (fields.some((field) => field.startsWith(word))) points += POINTS.fieldStart;
  const rest = `${entry.name} ${entry.title} ${call} ${fields.join(" ")} ${entry.text}`;
  if (rest.toLowerCase().includes(word)) points += POINTS.text;
  return points;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter(Boolean);
}
