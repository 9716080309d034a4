import fc from "fast-check";
import type { EventJson, EventObject } from "../port.ts";

const text = fc
  .string({ unit: "binary", maxLength: 12 })
  .filter((value) => value.isWellFormed() && !value.includes("\0"));
const key = text.filter((value) => value !== "__proto__");

const { json } = fc.letrec<{ json: EventJson }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(key, tie("json"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Every kind of value that an event's data may hold. */
export const eventObjects: fc.Arbitrary<EventObject> = fc.dictionary(key, json, {
  maxKeys: 5,
  noNullPrototype: true,
});

/** The same value with the keys of all its objects in reverse order. */
export function withKeysReversed<T extends EventJson>(value: T): T {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(withKeysReversed) as unknown as T;
  const entries = Object.entries(value).map(([name, item]) => [name, withKeysReversed(item)]);
  return Object.fromEntries(entries.reverse()) as T;
}
