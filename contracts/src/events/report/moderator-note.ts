import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { textIn } from "./report-texts.ts";

/**
 * A moderator wrote a note for other moderators. Nobody else reads it. It goes with the report's
 * `personal` key, since it speaks of the reported person.
 */
export const ModeratorNoteWritten = defineEvent(
  "ModeratorNoteWritten",
  1,
  strict({}),
  { personal: strict({ note: Type.String({ minLength: 1 }) }) },
  { required: ["personal"], texts: { personal: textIn("note") } },
);
