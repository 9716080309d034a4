import type { Static, TObject } from "typebox";
import type { ErrorCode } from "#contracts/domain-error.ts";
import type { ErrorReply } from "#contracts/http/envelope.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";

export { DoneReply, ErrorReply, reply } from "#contracts/http/envelope.ts";

/** Optional parts of a reply besides the data: a sentence for people, and the next step. */
export interface Remark {
  readonly message?: string;
  readonly action?: string;
  /** Log position from which reads reflect a command. It is sent in a header, not in the body. */
  readonly position?: string | undefined;
}

/** `{ success: true, data, message?, action? }` */
export function succeed<T>(data: T, remark: Remark = {}): { success: true; data: T } & Remark {
  return { success: true, data, ...remark };
}

/** `{ success: true, message }`, for commands that return no data. @param position from which reads reflect them. */
export function done(message: string, position?: string) {
  return { success: true as const, message, position };
}

/** `{ success: false, error: { code, message, fields? } }` */
export function fail(
  code: ErrorCode,
  message: string,
  fields?: Readonly<Record<string, string>>,
): ErrorReply {
  return { success: false, error: { code, message, ...omitUndefined({ fields }) } };
}

/** A row that can fill a schema: it may have a Date for a string, and null for an optional field. */
type Source<T> = {
  readonly [Field in keyof T]:
    | T[Field]
    | (string extends T[Field] ? Date : never)
    | (object extends Pick<T, Field> ? null | undefined : never);
};

/** Returns only the fields of the schema: times as RFC 3339, optional fields without a value omitted. */
export function shown<S extends TObject>(schema: S, row: Source<Static<S>>): Static<S> {
  const { properties, required = [] } = schema as unknown as {
    readonly properties: object;
    readonly required?: readonly string[];
  };
  const values = row as Readonly<Record<string, unknown>>;
  const fields = Object.keys(properties).flatMap((name) => {
    const value = values[name];
    if (value === undefined || (value === null && !required.includes(name))) return [];
    return [[name, value instanceof Date ? value.toISOString() : value] as const];
  });
  return Object.fromEntries(fields) as Static<S>;
}
