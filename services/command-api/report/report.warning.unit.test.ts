import { describe, it } from "vitest";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  reportApproved,
  reportDeleted,
  reportEdited,
  reporterWarned,
  reporterWarningLifted,
  reportSubmitted,
  reportTakenDown,
  submissionHeldBack,
  verifiedByLink,
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
const warn = {
  type: "WarnReporter",
  noticeId: NOTICE,
  step: "warning",
  strike: 1,
  isCounted: false,
} as const;
const lift = { type: "LiftReporterWarning", noticeId: NOTICE } as const;

describe("warning a reporter", () => {
  it("is recorded once per notice, with the account and the end of a suspension", () => {
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
    report(...down)
      .when({ ...warn, isCounted: true })
      .gives(reporterWarned(NOTICE, { counted_before: true }));
  });

  it("is lifted once, and only for its notice", () => {
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

  it("can be lifted for a deleted report, which gets no new one", () => {
    const deleted = [...down, reporterWarned(NOTICE), reportDeleted()];
    report(...deleted)
      .when(lift)
      .gives(reporterWarningLifted(NOTICE));
    report(...deleted)
      .when({ ...warn, noticeId: OTHER })
      .isRefused("report_deleted");
  });
});

describe("a report from a suspended address", () => {
  const suspended = { until: UNTIL };
  const held = [reportSubmitted(), submissionHeldBack(UNTIL)];
  const approve = { type: "ApproveReport", body: {} } as const;

  it("can't be confirmed during the suspension, by link or by hand", () => {
    const link = reportSubmitted();
    const linkId = link.type === "ReportSubmitted" ? (link.data.link?.link_id ?? "") : "";
    const verify = { type: "VerifyReport", linkId } as const;
    const byHand = { type: "VerifyReportByHand", body: {} } as const;
    const submitted = [link, submissionHeldBack(UNTIL)];
    report(...submitted)
      .when({ ...verify, suspended })
      .isRefused("submission_refused");
    report(...submitted)
      .when({ ...byHand, suspended })
      .isRefused("reporter_suspended");
    report(...submitted)
      .when({ type: "EditReport", body: { verified: true }, suspended })
      .isRefused("reporter_suspended");
    report(...submitted)
      .when(verify)
      .gives({ type: "ReportVerifiedByLink", data: { link_id: linkId } });
    report(...submitted)
      .when(byHand)
      .gives({ type: "ReportVerifiedByHand", data: {} });
  });

  it("reveals the suspension only to someone with a link to the address", () => {
    report(...held)
      .when({ type: "VerifyReport", linkId: OTHER, suspended })
      .isRefused("link_invalid");
    report(...held)
      .when({ type: "ResendVerification", email: "rae@shop.example", suspended })
      .gives();
  });

  it("can't be published unconfirmed during the suspension, whenever it was submitted", () => {
    report(...held)
      .when({ ...approve, suspended })
      .isRefused("reporter_suspended");
    report(...held)
      .when({ type: "SetReportStatus", body: { status: "approved" }, suspended })
      .isRefused("reporter_suspended");
    report(...held)
      .when({ type: "EditReport", body: { status: "approved" }, suspended })
      .isRefused("reporter_suspended");
    const published = {
      type: "ReportApproved",
      data: { from: "pending", verified: false },
    } as const;
    report(...held)
      .when(approve)
      .gives(published);
    for (const command of [
      approve,
      { type: "SetReportStatus", body: { status: "approved" } },
      { type: "EditReport", body: { status: "approved" } },
    ] as const)
      report(reportSubmitted())
        .when({ ...command, suspended })
        .isRefused("reporter_suspended");
    report(reportSubmitted(), verifiedByLink())
      .when({ ...approve, suspended })
      .gives({ ...published, data: { ...published.data, verified: true } });
  });

  it("is no longer affected once it has another address", () => {
    const corrected = {
      type: "CorrectReporterAddress",
      email: "r@other.example",
      reporterBlind: { email: "hash" },
    } as const;
    const address = {
      type: "ReporterAddressCorrected",
      data: {
        link: { link_id: OTHER, expires_at: "2026-11-25T10:00:00.000Z" },
        reporter: { email: "r@other.example", blind: { email: "hash" } },
      },
    } as const;
    report(...held)
      .when(corrected)
      .gives(address);
    report(reportSubmitted())
      .when({ ...corrected, suspended })
      .gives(address, submissionHeldBack(UNTIL));
    report(...held, address)
      .when(approve)
      .gives({ type: "ReportApproved", data: { from: "pending", verified: false } });
  });

  it("gets no link and no publication if staff give it a suspended address", () => {
    const edited = reportEdited({
      reporter: { set: { reporter_email: "r@other.example" }, blind: { email: "hash" } },
    });
    const resent = {
      type: "ReportVerificationResent",
      data: { link: { link_id: OTHER, expires_at: "2026-11-25T10:00:00.000Z" } },
    } as const;
    const edit = {
      type: "EditReport",
      body: { reporter_email: "r@other.example" },
      reporterBlind: { email: "hash" },
    } as const;
    report(reportSubmitted())
      .when({ ...edit, suspended })
      .gives(edited, resent, submissionHeldBack(UNTIL));
    report(reportSubmitted())
      .when({ ...edit, body: { ...edit.body, status: "approved" }, suspended })
      .isRefused("reporter_suspended");
    report(reportSubmitted(), verifiedByLink())
      .when({ ...edit, body: { ...edit.body, status: "approved" }, suspended })
      .isRefused("reporter_suspended");
    report(...held)
      .when(edit)
      .gives(edited, resent);
    report(...held, edited, resent)
      .when(approve)
      .gives({ type: "ReportApproved", data: { from: "pending", verified: false } });
  });
});
