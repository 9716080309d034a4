import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/** Somebody opened a file of a report. Appended before the file is sent. */
export const EvidenceViewed = defineEvent(
  "EvidenceViewed",
  1,
  strict({
    report_id: Type.String({ format: "uuid" }),
    file_id: Type.String({ format: "uuid" }),
  }),
  {},
);
