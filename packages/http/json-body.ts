import type { FastifyInstance } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { boundsOf, inputBounds } from "./bounds.ts";
import { messages } from "./errors.ts";
import { nameTooLong, tooManyValues } from "./text-check.ts";
import { invalidRequest } from "./validation.ts";

/** Accepts only JSON bodies. An empty body counts as absent, whatever its Content-Type. */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    // Check first: parsing a body of nothing but brackets, or of one long name, is the most expensive.
    const { values } = boundsOf(request.is404 ? {} : request.routeOptions.config);
    const excess = findExcess(values, body as Buffer);
    if (excess) {
      const problem = excess === "values" ? tooManyValues(values) : nameTooLong;
      return done(invalidRequest({ body: problem }), undefined);
    }
    return parse(request, body.toString("utf8"), (error, value) => {
      if (error) return done(new DomainError("invalid_json", messages.invalid_json), undefined);
      if (value === null) {
        const message = "The request body must be an object.";
        return done(new DomainError("invalid_request", message, { body: message }), undefined);
      }
      return done(null, value);
    });
  });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const SPACES: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];

/** Most bytes that JSON needs for one UTF-16 unit: `\u0041`. */
const BYTES_OF_A_LETTER = 6;
/** A name with more bytes is too long, whatever characters it contains. */
const NAME_BYTES = inputBounds.nameLength * BYTES_OF_A_LETTER;
/** Bytes to check one by one before searching for the end of a string. */
const NEAR = 64;

/**
 * Finds what a JSON text certainly has too much of, in one pass that allocates nothing and stops at
 * the first excess.
 * - `values`: more values than `mostValues`, not counting the outermost, judged by commas and opening
 * brackets. A text that passes has at most `mostValues` commas and `mostValues` + 1 opening brackets
 * outside its strings.
 * - `name`: a name with more bytes than `inputBounds.nameLength` characters can take.
 * @param json in UTF-8; it need not be valid.
 */
export function findExcess(mostValues: number, json: Buffer): "values" | "name" | undefined {
  let commas = 0;
  // Starts at -1, because the outermost value may itself have an opening bracket.
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

/** Index at which the string that starts at `start` ends: its closing quote, or the end of the text. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  for (;;) {
    // Each search costs a call, so a text of many short strings or quotes must not cause many.
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

/** Whether the string that ends at `end` is a field name, that is, followed by a colon. */
function isName(json: Buffer, end: number): boolean {
  let at = end + 1;
  while (SPACES.includes(json[at])) at += 1;
  return json[at] === COLON;
}
