import type { SystemEvent } from "../index.ts";

/** An action of the system as its stream says. */
export interface SystemState {
  readonly isEnded: boolean;
  /** How it ended, once it has. */
  readonly outcome?: Extract<SystemEvent, { type: "SystemActionEnded" }>["data"]["outcome"];
}

/** The action after one more event. */
export function evolveSystem(_: SystemState | undefined, event: SystemEvent): SystemState {
  if (event.type !== "SystemActionEnded") return { isEnded: false };
  return { isEnded: true, outcome: event.data.outcome };
}
