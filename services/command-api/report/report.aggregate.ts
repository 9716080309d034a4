import { streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import type { PreparedReportCommand, ReportCommand } from "./report.commands.ts";
import { decideReport } from "./report.decider.ts";

/** A report's stream, keys, fold and decider. */
export function reportAggregate(
  id: string,
): Aggregate<ReportState, ReportCommand, PreparedReportCommand> {
  const personal = subjects.personal(id);
  const reporter = subjects.reporter(id);
  return {
    stream: streams.report(id),
    subjects: { personal, reporter },
    textSubject: (n) => subjects.text(id, n),
    bodySubjects: [personal, reporter],
    // Anyone without an account who acts on a report is treated as its reporter.
    clientSubject: (caller) => ownSubject(caller) ?? reporter,
    // A signed-in reporter's key is listed under the account, and destroyed when it is erased.
    newSubjects: (caller) => [
      { subject: personal },
      { subject: subjects.text(id, 0) },
      ownSubject(caller) ? { subject: reporter, owner: caller.actor.id } : { subject: reporter },
    ],
    evolve: evolveReport,
    decide: decideReport,
  };
}
