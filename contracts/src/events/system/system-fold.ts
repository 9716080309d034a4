import type { SystemEvent } from "../index.ts";

/** An action of the system as its stream says. */
export interface SystemState {
  readonly isEnded: boolean;
}

/** The action after one more event. */
export function evolveSystem(_: SystemState | undefined, event: SystemEvent): SystemState {
  return { isEnded: event.type === "SystemActionEnded" };
}
