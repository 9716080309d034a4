import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { ReporterBlindIndexes } from "./stored-report.ts";

/**
 * Whoever submitted the report gave another address for it, because nobody had confirmed the former
 * one. What was mailed to the former one is void.
 */
export const ReporterAddressCorrected = defineEvent(
  "ReporterAddressCorrected",
  1,
  /** Confirms the new address. */
  strict({ link: OneTimeLink }),
  { reporter: strict({ email: Type.String({ minLength: 1 }), blind: ReporterBlindIndexes }) },
  { required: ["reporter"] },
);
