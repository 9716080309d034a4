import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { SYSTEM_ACTION_NAMES } from "../system/actions.ts";

/** POST /prod/api/system/actions. It answers with a job's id. */
export const SystemActionBody = strict({ action: Type.Enum([...SYSTEM_ACTION_NAMES]) });
export type SystemActionBody = Static<typeof SystemActionBody>;
