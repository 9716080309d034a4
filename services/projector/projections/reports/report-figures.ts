import { waitBucket } from "#read-model/wait-buckets.ts";
import type { Count, TallyTable } from "../../keyed/tallies.ts";
import type { ReportRow } from "./report-row.ts";

const STATUS: TallyTable = {
  name: "figure_status",
  keys: ["status", "currency"],
  sums: ["reports", "owed_cents"],
};
const LISTED: TallyTable = {
  name: "figure_listed",
  keys: ["status", "report_type", "verified"],
  sums: ["reports"],
};
const DAY: TallyTable = {
  name: "figure_day",
  keys: ["day", "currency"],
  sums: ["submitted", "submitted_cents", "approved", "approved_cents", "rejected"],
};
const WAIT: TallyTable = { name: "figure_wait", keys: ["day", "bucket"], sums: ["reports"] };
const REPORTER_DAY: TallyTable = {
  name: "figure_reporter_day",
  keys: ["reporter", "day", "currency"],
  sums: ["reports", "approved", "owed_cents"],
};
const REPORTER: TallyTable = { name: "figure_reporter", keys: ["reporter"], sums: ["reports"] };

/** What a report counts for in the figures. It follows from the report as it stands; one that is deleted counts for nothing. */
export function figuresOf(row: ReportRow): Count[] {
  if (row.deletion) return [];
  const { status, currency, report_type, verified } = row;
  const owed = row.total_due_cents;
  const approved = status === "approved" ? 1 : 0;
  const day = dayOf(row.created_at);
  const counts: Count[] = [
    { tally: STATUS, key: [status, currency], sums: [1, owed] },
    { tally: LISTED, key: [status, report_type, verified], sums: [1] },
    { tally: DAY, key: [day, currency], sums: [1, owed, 0, 0, 0] },
  ];
  if (row.settled_at !== null) {
    const settled = dayOf(row.settled_at);
    const sums = [0, 0, approved, approved ? owed : 0, 1 - approved];
    const waited = Date.parse(row.settled_at) - Date.parse(row.waiting_since);
    counts.push({ tally: DAY, key: [settled, currency], sums });
    counts.push({ tally: WAIT, key: [settled, waitBucket(waited)], sums: [1] });
  }
  const reporter = reporterOf(row);
  if (reporter && (verified || approved)) {
    counts.push({ tally: REPORTER_DAY, key: [reporter, day, currency], sums: [1, approved, owed] });
    counts.push({ tally: REPORTER, key: [reporter], sums: [1] });
  }
  return counts;
}

/** Who sent it, as far as it is known: the account, else the address by its blind index. */
function reporterOf({ owner_id, reporter_blind }: ReportRow): string | undefined {
  if (owner_id) return `account:${owner_id}`;
  return reporter_blind ? `address:${reporter_blind}` : undefined;
}

/** The day in UTC, whatever offset the time is written with. */
function dayOf(time: string): string {
  return new Date(time).toISOString().slice(0, 10);
}
