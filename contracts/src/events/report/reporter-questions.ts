import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { textIn } from "./report-texts.ts";

const Text = Type.String({ minLength: 1 });
const QuestionId = Type.String({ format: "uuid" });

/** A moderator asked the reporter something. The report waits for the answer. */
export const ReporterAsked = defineEvent(
  "ReporterAsked",
  1,
  /** Its id is the question's; until it expires, the question can be answered by it. */
  strict({ link: OneTimeLink }),
  { personal: strict({ question: Text }) },
  { required: ["personal"], texts: { personal: textIn("question") } },
);

/**
 * The reporter answered. The answer is in their own words and may be about themselves, so it is erased
 * with the reporter, even where the report stays.
 */
export const ReporterAnswered = defineEvent(
  "ReporterAnswered",
  1,
  strict({ question_id: QuestionId }),
  { reporter: strict({ answer: Text }) },
  { required: ["reporter"], texts: { reporter: textIn("answer") } },
);

/** A moderator does not want the answer any more. */
export const ReporterQuestionWithdrawn = defineEvent(
  "ReporterQuestionWithdrawn",
  1,
  strict({ question_id: QuestionId }),
  {},
);
