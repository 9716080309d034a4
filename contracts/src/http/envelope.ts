import { type Static, type TSchema, Type } from "typebox";
import { strict } from "../report/fields.ts";

/** An error, for programs (`code`), people (`message`) and forms (`fields`). */
const ErrorBody = strict({
  code: Type.String(),
  message: Type.String(),
  /** One message per field, by wire name. */
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

/** `{ success: true, message }`: the reply of commands that return no data. */
export const DoneReply = strict({
  success: Type.Literal(true),
  message: Type.String(),
  action: Type.Optional(Type.String()),
});

export { X_MIN_POSITION, X_POSITION, X_STALE } from "./position-headers.ts";
