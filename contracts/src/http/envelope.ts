import { type Static, type TSchema, Type } from "typebox";
import { strict } from "../report/fields.ts";

/** What went wrong, for programs (`code`), for people (`message`) and for forms (`fields`). */
export const ErrorBody = strict({
  code: Type.String(),
  message: Type.String(),
  /** One sentence a field, keyed by the field's name on the wire. */
  fields: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export const ErrorReply = strict({ success: Type.Literal(false), error: ErrorBody });
export type ErrorReply = Static<typeof ErrorReply>;

/** `{ success: true, data }`: the reply of every read and of most commands. */
export function reply<T extends TSchema>(data: T) {
  return strict({
    success: Type.Literal(true),
    data,
    message: Type.Optional(Type.String()),
    action: Type.Optional(Type.String()),
  });
}

/** `{ success: true, message }`: commands that have nothing to give back. */
export const DoneReply = strict({
  success: Type.Literal(true),
  message: Type.String(),
  action: Type.Optional(Type.String()),
});

/** Header of a command's answer: epoch and position of its last event. */
export const X_POSITION = "x-position";
/** Header of a read that wants data at least as new; the value of an `X-Position`. */
export const X_MIN_POSITION = "x-min-position";
/** Header of an answer that is older than asked for, or whose stream is parked: `true`. */
export const X_STALE = "x-stale";
