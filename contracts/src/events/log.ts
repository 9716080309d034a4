import { Type } from "typebox";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";
import type { LogEvent } from "./index.ts";

/** First event of every log. Its id is the log's first epoch. */
export const LogStarted = defineEvent("LogStarted", 1, strict({}), {});

/** The log was restored from a backup. The event's id is the new epoch. */
export const LogRestored = defineEvent(
  "LogRestored",
  1,
  /** True if the erasure ledger was lost: data erased after the backup may be back. */
  strict({ erasure_ledger_lost: Type.Optional(Type.Boolean()) }),
  {},
);

/** All sample reports are in the log. */
export const SamplesLoaded = defineEvent(
  "SamplesLoaded",
  1,
  strict({ reports: Type.Integer({ minimum: 1 }) }),
  {},
);

/** The operator removed the sample reports. */
export const SamplesCleared = defineEvent(
  "SamplesCleared",
  1,
  strict({ reports: Type.Integer({ minimum: 0 }) }),
  {},
);

export const logDefinitions = [LogStarted, LogRestored, SamplesLoaded, SamplesCleared] as const;

/** State of the log as a whole, from the stream `log`. */
export interface LogState {
  readonly samples: "none" | "loaded" | "cleared";
}

/** Applies one event of the stream `log`. */
export function evolveLog(state: LogState | undefined, { type }: LogEvent): LogState {
  if (type === "SamplesLoaded") return { samples: "loaded" };
  if (type === "SamplesCleared") return { samples: "cleared" };
  return state ?? { samples: "none" };
}
