import type { TObject } from "typebox";

/** One command of staff: everything that more than one part of the project needs to know. */
export interface CommandRow {
  /** Its name in the log. It never changes. */
  readonly type: string;
  /** Its name in the audit log, for people. */
  readonly title: string;
  readonly method: "POST" | "PUT" | "DELETE";
  /** Below the address of its area. */
  readonly path: "" | `/${string}`;
  readonly body: TObject;
  /** For the OpenAPI document. */
  readonly summary: string;
  /** The sentence when it is done, in the reply and in the console. */
  readonly done: string;
}
