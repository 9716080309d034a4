/** A text as detectors read it, and where each of its characters stood. */
export interface PlainText {
  /** ASCII digits, letters, spaces and dashes in place of their look-alikes, without invisible characters. */
  readonly text: string;
  /** The place of `text.slice(start, end)` in the text that was given, in UTF-16 units. */
  originOf(start: number, end: number): { readonly start: number; readonly end: number };
}

/** Format characters and combining marks: zero-width spaces, soft hyphens, keycaps. */
const INVISIBLE = /^[\p{Cf}\p{Mn}\p{Me}]$/u;
const DIGIT = /^\p{Nd}$/u;
const DASH = /^[\p{Pd}\u2212]$/u;
const SPACE = /^[\p{Zs}\t\v\f]$/u;
const BREAK = /^[\r\u0085\u2028\u2029]$/;
const BEYOND_ASCII = /[^\n -~]/;

/** The value of a decimal digit of any script: Unicode keeps them in runs of ten, in ascending order. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}

function plainCharacter(character: string): string {
  if ((character >= " " && character <= "~") || character === "\n") return character;
  if (INVISIBLE.test(character)) return "";
  if (BREAK.test(character)) return "\n";
  if (SPACE.test(character)) return " ";
  if (DASH.test(character)) return "-";
  if (DIGIT.test(character)) return digitValue(character);
  const compatible = character.normalize("NFKC");
  return compatible.length === 1 && !BEYOND_ASCII.test(compatible) ? compatible : character;
}

/** Linear in the text's length. */
export function plainText(given: string): PlainText {
  if (!BEYOND_ASCII.test(given)) return { text: given, originOf: (start, end) => ({ start, end }) };
  const starts: number[] = [];
  const ends: number[] = [];
  const parts: string[] = [];
  let at = 0;
  for (const character of given) {
    const plain = plainCharacter(character);
    for (let unit = 0; unit < plain.length; unit++) {
      // A character that stays as it is keeps its units apart.
      starts.push(plain === character ? at + unit : at);
      ends.push(plain === character ? at + unit + 1 : at + character.length);
    }
    parts.push(plain);
    at += character.length;
  }
  const originOf = (start: number, end: number) => ({
    start: starts[start] ?? at,
    end: ends[end - 1] ?? at,
  });
  return { text: parts.join(""), originOf };
}
