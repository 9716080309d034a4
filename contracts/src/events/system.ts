import { Type } from "typebox";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";
import type { SystemEvent } from "./index.ts";

const action = {
  /** Also in the stream's name. */
  job_id: Type.String({ format: "uuid" }),
  /** As in `SYSTEM_ACTIONS`; a later version may have stored others. */
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
    /** Number of removed entries or findings. The job's lines say which. */
    count: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  {},
);

export const systemDefinitions = [SystemActionStarted, SystemActionEnded] as const;

/** An action of the system, as recorded in its stream. */
export interface SystemState {
  readonly isEnded: boolean;
  readonly outcome?: Extract<SystemEvent, { type: "SystemActionEnded" }>["data"]["outcome"];
}

/** Applies one event of the action's stream. */
export function evolveSystem(_: SystemState | undefined, event: SystemEvent): SystemState {
  if (event.type !== "SystemActionEnded") return { isEnded: false };
  return { isEnded: true, outcome: event.data.outcome };
}
