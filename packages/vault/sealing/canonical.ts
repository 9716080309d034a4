import canonicalize from "canonicalize";

/**
 * RFC 8785 canonical JSON as UTF-8: equal values have equal bytes, whatever the order of keys.
 * @throws {TypeError} for values that are not JSON (undefined, NaN, functions).
 */
export function canonicalBytes(value: unknown): Buffer {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("this value is not JSON");
  return Buffer.from(text, "utf8");
}

/**
 * The same for a list of texts and whole numbers, for which `JSON.stringify` already writes the
 * canonical form. It is faster, and needed for every part that is sealed or opened.
 */
export function canonicalList(values: readonly (string | number)[]): Buffer {
  return Buffer.from(JSON.stringify(values), "utf8");
}
