import { Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** GET /prod/api/samples */
export const SamplesReply = reply(
  strict({
    /** Whether sample reports were loaded and nobody has cleared them since. */
    loaded: Type.Boolean(),
  }),
);
