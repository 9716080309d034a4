import { expect, it } from "vitest";
import { mailsTriggeredBy } from "./mail-kinds.ts";

const NOTICE = "66666666-6666-4666-8666-666666666666";
const ACCOUNT = "88888888-8888-4888-8888-888888888888";

it.each([
  ["warning", { strike: 1 }, ["infringer_warned"]],
  ["warning", { strike: 1, counted_before: true }, []],
  ["suspension", { strike: 2 }, ["infringer_suspended"]],
  ["suspension", { strike: 2, counted_before: true }, []],
  // A banned account gets a separate email.
  ["ban", { strike: 3, account_id: ACCOUNT }, []],
] as const)("notifies a reporter once of a notice's consequences: %s %j", (step, more, kinds) => {
  const data = { notice_id: NOTICE, step, ...more };
  const asked = mailsTriggeredBy({ type: "ReporterWarned", data }, "other");
  expect(asked.map(({ kind }) => kind)).toEqual(kinds);
});
