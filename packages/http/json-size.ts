import { inputBounds } from "./bounds.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const SPACES: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];

/** The most bytes that JSON needs for one UTF-16 unit: `\u0041`. */
const BYTES_OF_A_LETTER = 6;
/** A name of more bytes is too long, whatever it is made of. */
const NAME_BYTES = inputBounds.nameLength * BYTES_OF_A_LETTER;
/** Bytes that are looked at one by one before the end of a string is searched for. */
const NEAR = 64;

/**
 * What a JSON text surely has too much of: in one pass that builds nothing and ends with the first.
 * - `values`: more values than `mostValues`, the outermost not counted, by its commas and by its
 *   opening brackets. A text that is passed has at most `mostValues` commas and `mostValues` + 1
 *   opening brackets outside of its strings.
 * - `name`: a name of more bytes than one of `inputBounds.nameLength` letters can take.
 * @param json in UTF-8; it need not be valid.
 */
export function findExcess(mostValues: number, json: Buffer): "values" | "name" | undefined {
  let commas = 0;
  // The outermost value opens one of its own.
  let opened = -1;
  for (let at = 0; at < json.length; at += 1) {
    const code = json[at];
    if (code === QUOTE) {
      const end = endOfString(json, at);
      if (end - at - 1 > NAME_BYTES && isName(json, end)) return "name";
      at = end;
    } else if (code === COMMA) commas += 1;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) opened += 1;
    if (commas > mostValues || opened > mostValues) return "values";
  }
  return undefined;
}

/** Where the string that begins at `start` ends: its closing quote, or the end of the text. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  for (;;) {
    // A search costs a call: a text of short strings, or of quotes, must not cost one for each.
    for (const near = Math.min(at + NEAR, json.length); at < near; at += 1) {
      if (json[at] === BACKSLASH) at += 1;
      else if (json[at] === QUOTE) return at;
    }
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return json.length;
    let backslashes = 0;
    while (quote - backslashes > at && json[quote - backslashes - 1] === BACKSLASH)
      backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** Whether the string that ends at `end` is the name of a field: a colon comes next. */
function isName(json: Buffer, end: number): boolean {
  let at = end + 1;
  while (SPACES.includes(json[at])) at += 1;
  return json[at] === COLON;
}
