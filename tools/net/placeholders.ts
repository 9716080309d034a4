const MONTH = "(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*";
const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2})?(?: [AP]M)?(?: UTC)?";

/** Ids as they are in streams, events and addresses. */
export const IDS = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** What is another each time, and what is shown in its place; in this order. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [IDS, "<id>"],
  [/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "<time>"],
  [new RegExp(`\\b\\d{1,2} ${MONTH}(?: \\d{4})?(?:,? (?:at )?${CLOCK})?`, "g"), "<date>"],
  [new RegExp(`\\b${MONTH} \\d{1,2}, \\d{4}(?:,? (?:at )?${CLOCK})?`, "g"), "<date>"],
  [/\b\d{4}-\d{2}-\d{2}\b/g, "<date>"],
  [new RegExp(`\\b${CLOCK}`, "g"), "<time>"],
  [/\b(?:\d+|an?|one) (?:second|minute|hour|day|week|month|year)s? ago\b|\bjust now\b/g, "<ago>"],
  [/\btime: in \d+ [a-z]+/g, "time: <duration>"],
  [/\b\d+ (?:minutes?|hours?|days?) left\b/g, "<duration> left"],
  // It counts what other screens did.
  [/\b\d+ items need attention/g, "<count> items need attention"],
  [/\b[RCNIEL]-[\dA-Z]{5}-[\dA-Z]{4,5}\b/g, "<number>"],
  [/\b\d+(?:\.\d+)? (?:ms|kB|MB|GB|TB|bytes)\b/g, "<measured>"],
  [/\b\d+(?:\.\d+)? %/g, "<measured>"],
  [/127\.0\.0\.1:\d+/g, "<host>"],
  // Names of pages that end at random.
  [/(\/report\/[a-z-]+)-[a-z]{6}\b/g, "$1-<random>"],
  [/[\da-f]{24,}/g, "<hash>"],
  // The first digits of an id.
  [/\b[\da-f]{8}\b/g, "<id>"],
  [/\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b/g, "<secret>"],
  [/\b(?:\d+ (?:d|h|min|s)\b ?)+/g, "<duration>"],
  // Sealed texts and tokens.
  [/(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{24,}={0,2}/g, "<token>"],
];

/** A text with placeholders for what differs between any two runs: ids, times, what is random or measured. */
export function withPlaceholders(text: string): string {
  return PLACEHOLDERS.reduce((now, [what, shown]) => now.replaceAll(what, shown), text);
}
