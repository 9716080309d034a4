import type { TSchema } from "typebox";
import type { ServiceName } from "../db/service-roles.ts";

/** Who reads variables. `launcher` is `npm start` and the operator's commands. */
export type Reader = ServiceName | "web" | "launcher" | "migrate" | "bench" | "tests";

type Plain = string | number;

/** A variable's declaration. The readers' schemas and the table in docs/configuration.md derive from it. */
export interface Variable {
  readonly schema: TSchema;
  /** Stricter schemas for some readers. */
  readonly schemaOf?: Partial<Record<Reader, TSchema>>;
  /** Its text in docs/configuration.md, in Markdown. */
  readonly meaning: string;
  readonly readBy: readonly Reader[];
  /** Readers that do not start without it. */
  readonly neededBy?: readonly Reader[];
  /** The variable used as a fallback when a reader needs this one and it is not set. */
  readonly standIn?: string;
  /** One default for all readers, or one for each reader that has any. */
  readonly default?: Plain | Partial<Record<Reader, Plain>>;
  /** What applies without the variable, for docs/configuration.md, when `default` does not say it. */
  readonly otherwise?: string;
}
