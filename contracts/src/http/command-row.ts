import type { TObject } from "typebox";

/** A staff command, with everything that more than one part of the project uses. */
export interface CommandRow {
  /** Its name in the log. It never changes. */
  readonly type: string;
  /** Its title in the audit log. */
  readonly title: string;
  readonly method: "POST" | "PUT" | "DELETE";
  /** Relative to its area's path. */
  readonly path: "" | `/${string}`;
  readonly body: TObject;
  /** For the OpenAPI document. */
  readonly summary: string;
  /** Success message in the reply and in the console. */
  readonly done: string;
}
