import { describe, it } from "vitest";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  reportApproved,
  reportDeleted,
  reporterWarned,
  reporterWarningLifted,
  reportSubmitted,
  reportTakenDown,
} from "#test-kit/report-events.ts";
import { decideReport } from "./report.decider.ts";

const NOTICE = "66666666-6666-4666-8666-666666666666";
const OTHER = "77777777-7777-4777-8777-777777777777";
const ACCOUNT = "88888888-8888-4888-8888-888888888888";
const UNTIL = "2026-12-23T10:00:00.000Z";
const report = givenFor({
  decide: decideReport,
  evolve: evolveReport,
  moment: { newId: OTHER, now: "2026-11-23T10:00:00.000Z" },
});
const down = [reportSubmitted(), reportApproved("pending", true), reportTakenDown(NOTICE)];
const warn = { type: "WarnReporter", noticeId: NOTICE, step: "warning", strike: 1 } as const;
const lift = { type: "LiftReporterWarning", noticeId: NOTICE } as const;

describe("a warning of a reporter", () => {
  it("is noted once for a notice, with its account and the end of a suspension", () => {
    report(...down)
      .when(warn)
      .gives(reporterWarned(NOTICE));
    report(...down, reporterWarned(NOTICE))
      .when({ ...warn, strike: 2 })
      .gives();
    const suspension = { step: "suspension", strike: 2, until: UNTIL } as const;
    report(...down, reporterWarned(OTHER))
      .when({ ...warn, ...suspension, accountId: ACCOUNT })
      .gives(reporterWarned(NOTICE, { ...suspension, account_id: ACCOUNT }));
  });

  it("is lifted once, and only that of the notice", () => {
    report(...down, reporterWarned(NOTICE), reporterWarned(OTHER))
      .when(lift)
      .gives(reporterWarningLifted(NOTICE));
    report(...down, reporterWarned(NOTICE), reporterWarningLifted(NOTICE))
      .when(lift)
      .gives();
    report(...down, reporterWarned(OTHER))
      .when(lift)
      .gives();
  });

  it("is lifted of a deleted report, which gets no other", () => {
    const deleted = [...down, reporterWarned(NOTICE), reportDeleted()];
    report(...deleted)
      .when(lift)
      .gives(reporterWarningLifted(NOTICE));
    report(...deleted)
      .when({ ...warn, noticeId: OTHER })
      .isRefused("report_deleted");
  });
});
