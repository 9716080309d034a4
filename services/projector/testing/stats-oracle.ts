import { expect } from "vitest";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { totalDueCents } from "#contracts/report/submission-rules.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { waitBucket } from "#read-model/wait-buckets.ts";
import type { ReadEvent } from "./oracle.ts";

/** When a report began to wait for its decision, and when it was decided, in milliseconds. */
interface Wait {
  readonly since: number;
  readonly settled: number | null;
}

/** Computes the wait from a report's events. A decision set back within a minute, or undone, does not count. */
function waitOf(events: readonly StoredEvent[]): Wait {
  const at = ({ metadata }: StoredEvent) => Date.parse(metadata.time);
  let since = at(events[0] as StoredEvent);
  let settled: number | null = null;
  const before: Wait[] = [];
  for (const event of events) {
    before.push({ since, settled });
    const undone = before[(event.data.undoes as { revision: number } | undefined)?.revision ?? -1];
    if (undone) {
      ({ since, settled } = undone);
      continue;
    }
    const isDecision = event.type === "ReportApproved" || event.type === "ReportRejected";
    if (isDecision && settled === null) settled = at(event);
    if (event.type !== "ReportStatusSet" || settled === null) continue;
    if (at(event) - settled > 60_000) since = at(event);
    settled = null;
  }
  return { since, settled };
}

/** Returns the columns of `reports.report` for the wait. */
export function waitColumns(events: readonly StoredEvent[]) {
  const { since, settled } = waitOf(events);
  return {
    waiting_since: new Date(since),
    settled_at: settled === null ? null : new Date(settled),
  };
}

/** The figure tables, each row as one line of text, sorted. */
export type Stats = Readonly<Record<string, readonly string[]>>;

/** Counts every report of the log separately, without any code of the projector. */
export function foldStats(log: readonly ReadEvent[]): Stats {
  const reports = new Map<string, { state?: ReportState; read: ReadEvent[] }>();
  for (const read of log) {
    if (!read.event) continue;
    const report = reports.get(read.stored.stream) ?? { read: [] };
    reports.set(read.stored.stream, report);
    report.state = evolveReport(report.state, read.event);
    report.read.push(read);
  }
  const count = counter();
  for (const { state, read } of reports.values())
    if (state?.personal && state.status !== "deleted") countReport(count.add, state, read);
  return count.rows();
}

function counter() {
  const tables: Record<string, Map<string, bigint[]>> = {};
  return {
    add(table: string, key: string, ...sums: number[]) {
      const rows = tables[table] ?? new Map<string, bigint[]>();
      tables[table] = rows;
      const row = rows.get(key) ?? sums.map(() => 0n);
      rows.set(
        key,
        row.map((n: bigint, i: number) => n + BigInt(sums[i] as number)),
      );
    },
    rows: () =>
      Object.fromEntries(
        Object.entries(tables).map(([table, rows]) => [
          table,
          [...rows].map(([key, sums]) => `${key}: ${sums.join(" ")}`).toSorted(),
        ]),
      ),
  };
}

type Add = ReturnType<typeof counter>["add"];

function countReport(add: Add, state: ReportState, read: readonly ReadEvent[]): void {
  const { clear, status, report_type, verified, reporter } = state;
  const { currency } = clear;
  const owed = totalDueCents(report_type, clear, clear.chargebacks);
  const events = read.map(({ stored }) => stored);
  const submitted = day(Date.parse(events[0]?.metadata.time ?? ""));
  const isApproved = status === "approved" ? 1 : 0;
  add("status", `${status} ${currency}`, 1, owed);
  add("listed", `${status} ${report_type} ${verified}`, 1);
  add("day", `${submitted} ${currency}`, 1, owed, 0, 0, 0);
  const { since, settled } = waitOf(events);
  if (settled !== null) {
    const approvedCents = isApproved ? owed : 0;
    add("day", `${day(settled)} ${currency}`, 0, 0, isApproved, approvedCents, 1 - isApproved);
    add("wait", `${day(settled)} ${waitBucket(settled - since)}`, 1);
  }
  const who = reporter ? whoOf(events, read) : undefined;
  if (!who || !(verified || isApproved)) return;
  add("reporter_day", `${who} ${submitted} ${currency}`, 1, isApproved, owed);
  add("reporter", who, 1);
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns the account that sent or claimed it, else the blind index of the reporter's current address. */
function whoOf(events: readonly StoredEvent[], read: readonly ReadEvent[]): string | undefined {
  const actor = events[0]?.metadata.actor;
  let account = actor?.role === "visitor" ? undefined : actor?.id;
  let blind: string | undefined;
  for (const { event } of read) {
    if (event?.type === "ReportClaimed") account = event.data.account_id;
    if (event?.type === "ReportDisowned" && event.data.cause === "address_change_undone")
      account = undefined;
    const isAddress =
      event?.type === "ReportSubmitted" ||
      event?.type === "ReporterAddressCorrected" ||
      (event?.type === "ReportEdited" && event.data.fields.includes("reporter_email"));
    if (isAddress) blind = event.data.reporter?.blind?.email;
  }
  if (account) return `account:${account}`;
  return blind && `address:${blind}`;
}

type Rows = <T extends object>(text: string) => Promise<T[]>;

/** Reads the current tables in the form of {@link foldStats}. */
export async function readStats(rows: Rows): Promise<Stats> {
  const read = async (key: string, sums: string, table: string) => {
    const found = await rows<{ line: string }>(
      `select concat_ws(' ', ${key}) || ': ' || concat_ws(' ', ${sums}) as line from reports.${table}`,
    );
    return found.map(({ line }) => line).toSorted();
  };
  const tables = {
    status: await read("status, currency", "reports, owed_cents", "figure_status"),
    listed: await read("status, report_type, verified::text", "reports", "figure_listed"),
    day: await read(
      "day, currency",
      "submitted, submitted_cents, approved, approved_cents, rejected",
      "figure_day",
    ),
    wait: await read("day, bucket", "reports", "figure_wait"),
    reporter_day: await read(
      "reporter, day, currency",
      "reports, approved, owed_cents",
      "figure_reporter_day",
    ),
    reporter: await read("reporter", "reports", "figure_reporter"),
  };
  return Object.fromEntries(Object.entries(tables).filter(([, lines]) => lines.length > 0));
}

/** Compares the figure tables with the log. */
export async function expectStatsOfTheLog(log: readonly ReadEvent[], rows: Rows): Promise<void> {
  expect(await readStats(rows)).toEqual(foldStats(log));
}
