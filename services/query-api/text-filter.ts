/** Words of a filter that count, the first of them. */
const MAX_WORDS = 12;

/** The words of a filter's text; every one of them must be found. */
export function searchWords(text: string | undefined): string[] {
  return (text ?? "").split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);
}

/** Pattern of LIKE and ILIKE for texts that contain the word, whatever signs are in it. */
export function containsPattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, "\\$&")}%`;
}
