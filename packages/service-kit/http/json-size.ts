const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Whether a JSON text surely holds more values than `most`, the outermost not counted, by its commas
 * and by its opening brackets: in one pass that builds nothing and ends with the first one too many.
 * @param json need not be valid. A text that is passed has at most `most` commas and `most` + 1
 * opening brackets outside of its strings.
 */
export function holdsMoreThan(most: number, json: string): boolean {
  let commas = 0;
  // The outermost value opens one of its own.
  let opened = -1;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === COMMA) commas += 1;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) opened += 1;
    if (commas > most || opened > most) return true;
  }
  return false;
}

/** Where the string that begins at `start` ends: its closing quote, or the end of the text. */
function endOfString(json: string, start: number): number {
  let from = start + 1;
  for (;;) {
    const quote = json.indexOf('"', from);
    if (quote < 0) return json.length;
    let backslashes = 0;
    while (quote - backslashes > from && json.charCodeAt(quote - backslashes - 1) === BACKSLASH)
      backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}
