/** Fields that may be left out, and are never there without a value. */
export type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Leaves out what has no value: an optional field is absent, neither undefined nor null. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<T>;
}
