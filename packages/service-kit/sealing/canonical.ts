import canonicalize from "canonicalize";

/**
 * RFC 8785 canonical JSON as UTF-8: equal values have equal bytes, whatever the order of keys.
 * @throws {TypeError} for what is not JSON (undefined, NaN, functions).
 */
export function canonicalBytes(value: unknown): Buffer {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("this value is not JSON");
  return Buffer.from(text, "utf8");
}
