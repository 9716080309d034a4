/** Fields that may be absent, but never hold undefined or null. */
export type OmitUndefined<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Drops fields that are undefined or null, so that an optional field is either absent or has a value. */
export function omitUndefined<T extends object>(fields: T): OmitUndefined<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as OmitUndefined<T>;
}
