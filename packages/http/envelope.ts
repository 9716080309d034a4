import type { ErrorCode } from "#contracts/domain-error.ts";
import { given } from "#contracts/given.ts";
import type { ErrorReply } from "#contracts/http/envelope.ts";

export { DoneReply, ErrorReply, reply } from "#contracts/http/envelope.ts";

/** What may accompany the data: a sentence for people, and the next step. */
export interface Remark {
  readonly message?: string;
  readonly action?: string;
}

/** `{ success: true, data, message?, action? }` */
export function succeed<T>(data: T, remark: Remark = {}): { success: true; data: T } & Remark {
  return { success: true, data, ...remark };
}

/** `{ success: true, message, action? }`, for commands that return no data. */
export function done(message: string, action?: string) {
  return { success: true as const, message, ...given({ action }) };
}

/** `{ success: false, error: { code, message, fields? } }` */
export function fail(
  code: ErrorCode,
  message: string,
  fields?: Readonly<Record<string, string>>,
): ErrorReply {
  return { success: false, error: { code, message, ...given({ fields }) } };
}
