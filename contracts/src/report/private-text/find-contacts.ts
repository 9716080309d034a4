import { digitsOf, type FoundPlace, isReference, matchesOf } from "./found-place.ts";

const LOCAL = "(?<![\\p{L}\\p{N}._%+'-])([\\p{L}\\p{N}_%+'-][\\p{L}\\p{N}._%+'-]{0,63}";
const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,62})";
const TOP = "\\p{L}{2,24}(?![\\p{L}\\p{N}])";
/** Ends of names of files: icon@2x.png. */
const NO_FILE = "(?!png|jpe?g|gif|svg|webp|pdf)";

const EMAIL = new RegExp(`${LOCAL} ?@ ?(?:${LABEL}\\.){1,5}${NO_FILE}${TOP})`, "dgiu");
/** name (at) example (dot) com, and with words for both. */
const SPELLED = new RegExp(
  `${LOCAL} ?(?:[([{] ?at ?[)\\]}]| at |@) ?${LABEL}(?: ?(?:[([{] ?(?:dot|\\.) ?[)\\]}]| dot ) ?${LABEL}){0,3} ?(?:[([{] ?(?:dot|\\.) ?[)\\]}]| dot ) ?${NO_FILE}${TOP})`,
  "dgiu",
);

/** Start of a number that is no part of a longer one or of an address of a page. */
const START = "(?<![\\w+@&=/.-]|\\d )";
const END = "(?![\\w@]|[-./]\\d)";
const SEPARATOR = "[ .-]";

const PHONES = [
  // North America.
  `${START}((?:\\+?1[ .-]{0,2})?(?:\\([2-9]\\d{2}\\)[ .-]{0,2}|[2-9]\\d{2}[ ./-]{1,2})[2-9]\\d{2}[ .-]{1,2}\\d{4})${END}`,
  // International, E.164.
  `(?<![\\w+@&=/.-])((?:\\+|00)[1-9](?:[ ./-]{0,2}\\(?\\d\\)?){6,14})${END}`,
  // With the trunk prefix 0, in groups.
  `${START}(\\(0\\d{1,4}\\) ?\\d{3,4}[ -]?\\d{3,4}|0\\d{4}[ -]\\d{6}|0\\d{2,3}${SEPARATOR}\\d{3,4}${SEPARATOR}\\d{3,4}|0\\d${SEPARATOR}\\d{4}${SEPARATOR}\\d{4}|0\\d(?:${SEPARATOR}\\d\\d){4}|0\\d{2,4} ?/ ?\\d{5,8}|0\\d{2,3}${SEPARATOR}\\d{6,8})${END}`,
].map((pattern) => new RegExp(pattern, "dg"));

/** Any number after a word that says it is a phone's. */
const CALLED =
  /(?<![a-z])(?:(?:tele)?phone|telephone|tel|ph|cell(?:phone)?|mobile|fax|whatsapp|sms|signal|viber|telegram|contact|call(?:ed|ing)?|text(?:ed)?|dial(?:ed)?|ring|reach(?:ed)?)(?:[ .](?:number|no|is|was|at|on|me|us|him|her|them|his|the|my))*[\s:.#=-]{1,3}(\+?\(?\d(?:[ ./()-]{0,2}\d){6,14})(?![\w@]|[-./]\d)/dgi;

/** A date in digits, which may follow "called on". */
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})/;

/** @param isFound whether refused kinds were found there. */
export function* findEmails(text: string): Generator<FoundPlace> {
  if (text.includes("@")) yield* matchesOf("email", EMAIL, text);
  if (/dot|\[\.\]|\(\.\)/i.test(text)) yield* matchesOf("email", SPELLED, text);
}

export function* findPhones(text: string): Generator<FoundPlace> {
  const holds = (value: string, before: string) => {
    const { length } = digitsOf(value);
    return length >= 7 && length <= 15 && !isReference(before) && !DATE.test(value);
  };
  for (const pattern of PHONES) yield* matchesOf("phone", pattern, text, holds);
  yield* matchesOf("phone", CALLED, text, holds);
}
