import { streams } from "#contracts/events/index.ts";
import { INQUIRY_ENDS } from "#contracts/events/inquiry/inquiry-fold.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { mailKinds } from "#contracts/mail/mail-kinds.ts";
import type { EventStore } from "#event-store/port.ts";
import type { LeasedMail } from "./leases.ts";
import type { OutgoingMail } from "./transports/transport.ts";

/** Events after which no email is kept. */
const ERASURES = new Set(["ReportErased", "ReporterErased", ...ACCOUNT_ENDS, ...INQUIRY_ENDS]);

/** What is to be removed: emails written from this revision of the report or an earlier one, or all. */
interface Overtaken {
  readonly until?: number;
}

/**
 * What happened since an email was written, so that it must not be kept: the report was deleted, the
 * recipient erased, or texts of the report masked, as of a revision.
 */
export async function overtakenBy(
  { kind, ownerId, reports }: Pick<LeasedMail, "kind" | "ownerId" | "reports">,
  { revision = Number.POSITIVE_INFINITY }: Pick<OutgoingMail, "revision">,
  store: Pick<EventStore, "readStream">,
): Promise<Overtaken | undefined> {
  const { owner } = mailKinds[kind];
  const about = [streams[owner === "account" ? "user" : owner](ownerId)];
  if (reports) about.push(streams.report(reports.own));
  for (const stream of about) {
    const overtaken = await overtakenIn(stream, revision, store);
    if (overtaken) return overtaken;
  }
  return undefined;
}

async function overtakenIn(
  stream: string,
  writtenFrom: number,
  store: Pick<EventStore, "readStream">,
): Promise<Overtaken | undefined> {
  const newestFirst = { direction: "backwards" } as const;
  let isThere = false;
  let isUndone = false;
  let until: number | undefined;
  for await (const { type, revision } of store.readStream(stream, "end", newestFirst)) {
    if (ERASURES.has(type) || (type === "ReportDeleted" && !isUndone)) return {};
    if (type === "ReportTextMasked" && revision > writtenFrom) until ??= revision;
    // A deletion before its undoing hides nothing.
    if (type.startsWith("ReportDelet")) isUndone = type === "ReportDeletionUndone";
    isThere = true;
  }
  if (!isThere) return {};
  return until === undefined ? undefined : { until };
}
