import { Type } from "typebox";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";
import type { SystemEvent } from "./index.ts";

const action = {
  /** The stream's own. */
  job_id: Type.String({ format: "uuid" }),
  /** As `SYSTEM_ACTIONS` names it; a later version may have stored others. */
  action: Type.String({ pattern: "^[a-z-]{1,40}$" }),
};

/** An admin started an action on the whole system, such as a backup or a scan. First event of its stream. */
export const SystemActionStarted = defineEvent("SystemActionStarted", 1, strict(action), {});

/** The action completed, was stopped or failed. Last event of its stream. */
export const SystemActionEnded = defineEvent(
  "SystemActionEnded",
  1,
  strict({
    ...action,
    /** `done`, `stopped` or `failed`. */
    outcome: Type.String({ pattern: "^[a-z_]{1,20}$" }),
    /** How many: entries that were removed, findings. What they are is in the job's lines. */
    count: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  {},
);

export const systemDefinitions = [SystemActionStarted, SystemActionEnded] as const;

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
