import type { LogEvent } from "../index.ts";

/** What the stream `log` says about the log as a whole. */
export interface LogState {
  readonly samples: "none" | "loaded" | "cleared";
}

/** The log after one more event of its stream. */
export function evolveLog(state: LogState | undefined, { type }: LogEvent): LogState {
  if (type === "SamplesLoaded") return { samples: "loaded" };
  if (type === "SamplesCleared") return { samples: "cleared" };
  return state ?? { samples: "none" };
}
