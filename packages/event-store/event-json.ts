import { InvalidBatch } from "./errors.ts";
import type { EventObject } from "./port.ts";

/** How deep objects and arrays may be nested, counted from the value itself. */
export const MAX_DEPTH = 32;

/** A key that is safe to show in a message: any other key could be somebody's data. */
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * Accepts only what every store and RFC 8785 keep unchanged: well-formed strings without NUL,
 * booleans, safe integers, arrays and plain objects, at most {@link MAX_DEPTH} deep. No null, no
 * fraction, no negative zero, no undefined, and nothing that JSON would convert.
 * @param path where the value is; the message names the path, never the value.
 * @throws {InvalidBatch}
 */
export function assertEventJson(value: unknown, path: string): asserts value is EventObject {
  if (!isPlainObject(value)) refuse(path, "must be a plain object");
  check(value, path, 1);
}

function check(value: unknown, path: string, depth: number): void {
  if (typeof value === "string") {
    checkText(value, path);
  } else if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || Object.is(value, -0))
      refuse(path, "must be a safe integer");
  } else if (typeof value === "object") {
    if (depth > MAX_DEPTH) refuse(path, `is nested deeper than ${MAX_DEPTH}`);
    if (Array.isArray(value)) checkArray(value, path, depth);
    else if (isPlainObject(value)) checkObject(value, path, depth);
    else refuse(path, value === null ? "must not be null" : "must be a plain object");
  } else if (typeof value !== "boolean") {
    refuse(path, `must not be ${typeof value}`);
  }
}

function checkText(text: string, path: string): void {
  if (!text.isWellFormed()) refuse(path, "holds a lone surrogate");
  if (text.includes("\0")) refuse(path, "holds U+0000");
}

function checkArray(array: readonly unknown[], path: string, depth: number): void {
  // Holes and extra properties would be lost. A plain array has exactly its items and `length` as
  // keys.
  if (Reflect.ownKeys(array).length !== array.length + 1) refuse(path, "must be a plain array");
  for (const [index, item] of array.entries()) check(item, `${path}[${index}]`, depth + 1);
}

function checkObject(object: Record<string, unknown>, path: string, depth: number): void {
  for (const key of Reflect.ownKeys(object)) {
    if (typeof key === "symbol") refuse(path, "has a symbol for a key");
    checkText(key, `a key of ${path}`);
    // Readers copy objects field by field, and this name would change the copy's prototype.
    if (key === "__proto__") refuse(path, "has a key __proto__");
    const property = Object.getOwnPropertyDescriptor(object, key);
    if (!property?.enumerable || !("value" in property))
      refuse(path, "has a property that is not a plain field");
    check(property.value, `${path}.${PLAIN_KEY.test(key) ? key : "(key)"}`, depth + 1);
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function refuse(path: string, why: string): never {
  throw new InvalidBatch(`${path} ${why}`);
}
