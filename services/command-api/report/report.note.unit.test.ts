import { describe, it } from "vitest";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { MAX_NOTES } from "#contracts/report/reporter-rules.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  moderatorNoteWritten,
  reportApproved,
  reportDeleted,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";

const moment = { now: "2026-11-23T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const given = givenFor({ decide: decideReport, evolve: evolveReport, moment });
const write = { type: "WriteNote", body: { note: "Seen before" } } as const;

describe("a moderator note", () => {
  it("can be added to a report in any status, up to a hundred times", () => {
    const written = moderatorNoteWritten("Seen before");
    given(reportSubmitted()).when(write).gives(written);
    given(reportSubmitted(), reportApproved()).when(write).gives(written);
    const notes = Array.from({ length: MAX_NOTES - 1 }, () => written);
    given(reportSubmitted(), ...notes)
      .when(write)
      .gives(written);
    given(reportSubmitted(), ...notes, written)
      .when(write)
      .isRefused("invalid_request");
  });

  it("is refused for a deleted or unknown report", () => {
    given(reportSubmitted(), reportDeleted()).when(write).isRefused("report_deleted");
    given().when(write).isRefused("report_not_found");
  });
});
