/** Maximum number of words in a filter. Further words are ignored. */
const MAX_WORDS = 12;

/** The words of a filter's text. All of them must match. */
export function searchWords(text: string | undefined): string[] {
  return (text ?? "").split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);
}

/** LIKE pattern for texts that contain the word, with its special characters escaped. */
export function containsPattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, "\\$&")}%`;
}
