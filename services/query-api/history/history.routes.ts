import { isDeepStrictEqual } from "node:util";
import type { FastifyBaseLogger } from "fastify";
import { type Static, Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import {
  type FieldChange,
  type HistoryEntry,
  HistoryQuery,
  HistoryReply,
} from "#contracts/http/admin-reports.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { ReportField } from "#contracts/report/catalogue.ts";
import { type Audience, visibility } from "#contracts/report/derive/visibility.ts";
import { reportFields, strict } from "#contracts/report/fields.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { rejectionText } from "#contracts/report/words.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { clientSubject, maskClient, type NameOf } from "../actors/actor-names.ts";
import { reveals } from "../audit-log/audit-log.queries.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { type VisibleReport, visibleField, visibleReport } from "../visible-report.ts";

const Id = strict({ id: Type.String({ format: "uuid" }) });

/** A report's events with each one's changes, and the report at any revision. */
export function historyRoutes(app: ServiceInstance, side: ReadSide): void {
  const histories = new ReportHistories(side);
  // Events come from the log itself; reveals come from the audit tables.
  const read = reads(["admin", "auditor"], "audit", side.freshness.waitFor(["audit"], "one"));
  app.get(
    "/prod/api/admin/reports/:id/history",
    read({
      summary: "A report's full history, replayed from the log",
      params: Id,
      querystring: HistoryQuery,
      reply: HistoryReply,
    }),
    async (request) => {
      const reader = request.actor.role === "admin" ? "moderator" : "auditor";
      const id = request.params.id.toLowerCase();
      return succeed(await histories.read(id, reader, request.query, request.log));
    },
  );
}

type ReportHistory = Static<typeof HistoryReply>["data"];

type HistoryVersions = Static<typeof HistoryQuery>;

type ReportHistoryDeps = Pick<ReadSide, "store" | "keys" | "db" | "names" | "audit">;

/**
 * Replays reports from the log. Besides this, query-api reads only the histories of texts and templates from the
 * log.
 */
class ReportHistories {
  readonly #deps: ReportHistoryDeps;
  readonly #codec = registryCodec;

  constructor(deps: ReportHistoryDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a report's history, and the report at a revision.
   * @param versions.at the revision to show the report at.
   * @param versions.against the revision to compare it with.
   * @throws {DomainError} `report_not_found`, or `not_found` for an unknown revision.
   * @throws {KeyMissing} if a key of the report is missing: its encrypted data must not look erased.
   */
  async read(
    reportId: string,
    reader: HistoryReader,
    { at, against }: HistoryVersions,
    log: FastifyBaseLogger,
  ): Promise<ReportHistory> {
    const stored = await this.#load(reportId);
    if (stored.length === 0) throw new DomainError("report_not_found", "Report not found");
    const clients = stored.map(({ metadata }) => clientSubject(metadata.client));
    const subjects = new Set([...this.#codec.subjectsOf(stored), ...clients]);
    subjects.delete(undefined);
    const rows = await reveals(this.#deps.db, reportId);
    const actors = [
      ...stored.map((event) => event.metadata.actor.id),
      ...rows.map((r) => r.actor_id),
    ];
    const [keys, nameOf, revealClients] = await Promise.all([
      this.#deps.keys.get([...subjects] as string[]),
      this.#deps.names.nameOf(actors, log),
      this.#deps.audit.clients(rows, log),
    ]);
    const steps = replay(
      stored.map((event) => ({
        stored: event,
        event: this.#codec.openEvent(event, keys) as ReportEvent,
      })),
    );
    const step = stepAt(steps, at);
    const other = stepAt(steps, against);
    return {
      report_id: reportId,
      erased: isErased(steps),
      events: presentHistory(steps, reader, (event) => ({
        actor: actorOf(event.metadata.actor, nameOf),
        ...maskClient(event, keys, log),
      })),
      reveals: rows.map((row, i) => {
        const { ip_address } = revealClients[i] ?? {};
        return {
          id: row.event_id,
          at: row.at.toISOString(),
          actor: actorOf({ id: row.actor_id, role: row.actor_role }, nameOf),
          ...omitUndefined({ ip_address }),
        };
      }),
      ...omitUndefined({
        report: step && presentReportAt(step, reportId, reader),
        difference: step && other && differences(other.after, step.after, reader),
      }),
    };
  }

  async #load(reportId: string): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for await (const event of this.#deps.store.readStream(streams.report(reportId))) {
      events.push(event);
    }
    return events;
  }
}

function stepAt(steps: readonly ReplayStep[], revision: number | undefined) {
  if (revision === undefined) return undefined;
  const step = steps[revision];
  if (!step) throw new DomainError("not_found", `This report has no revision ${revision}`);
  return step;
}

function actorOf({ id, role }: { readonly id: string; readonly role: string }, nameOf: NameOf) {
  return { id, role, ...omitUndefined({ name: nameOf(id) }) };
}

/** A stream event with its encrypted parts opened. A part is null if its key was destroyed. */
export interface ReplayedEvent {
  readonly stored: StoredEvent;
  readonly event: ReportEvent;
}

/** One step of a replay: the report before and after the event. */
export interface ReplayStep extends ReplayedEvent {
  readonly before: ReportState | undefined;
  readonly after: ReportState;
}

/** Moderators and auditors read histories. Neither sees values that require a reveal. */
export type HistoryReader = Extract<Audience, "moderator" | "auditor">;

/** Who acted and from where, provided by the caller. */
type ActorView = Pick<HistoryEntry, "actor" | "ip_address" | "user_agent">;

type Change = Static<typeof FieldChange>;

type ReportAtRevision = VisibleReport & {
  readonly id: string;
  readonly revision: number;
  readonly status: ReportState["status"];
  readonly verified: boolean;
  readonly seo_title?: string;
  readonly rejection_reason?: string;
};

/** Derived fields, whose changes would only repeat those of other fields. */
const DERIVED: ReadonlySet<string> = new Set<ReportField>(["total_due"]);
const FIELDS = (Object.keys(reportFields) as ReportField[]).filter((f) => !DERIVED.has(f));

/** Events that delete a report or undo that. */
const DELETIONS: ReadonlySet<ReportEvent["type"]> = new Set([
  "ReportDeleted",
  "ReportDeletionUndone",
  "ReportErased",
]);

/** Whether the report was deleted or its personal data erased. */
export function isErased(steps: readonly ReplayStep[]): boolean {
  const last = steps.at(-1)?.after;
  return last !== undefined && (last.status === "deleted" || last.personal === null);
}

/** Folds a report's events. Personal data of a deleted report is not read. */
export function replay(events: readonly ReplayedEvent[]): ReplayStep[] {
  const last = events.findLast(({ event }) => DELETIONS.has(event.type));
  const deleted = last !== undefined && last.event.type !== "ReportDeletionUndone";
  let before: ReportState | undefined;
  return events.map(({ stored, event: opened }) => {
    const event = deleted ? withoutParts(opened) : opened;
    const after = evolveReport(before, event);
    const step = { stored, event, before, after };
    before = after;
    return step;
  });
}

/** Returns the history as the reader may see it, in event order. */
export function presentHistory(
  steps: readonly ReplayStep[],
  reader: HistoryReader,
  actorOf: (stored: StoredEvent) => ActorView,
): HistoryEntry[] {
  return steps.map((step) => {
    const { stored, event, after } = step;
    const { metadata } = stored;
    return {
      id: stored.id,
      revision: stored.revision,
      position: stored.position,
      type: stored.type,
      command: metadata.command,
      at: metadata.time,
      ...actorOf(stored),
      origin: metadata.origin,
      status: after.status,
      verified: after.verified,
      changes: changesOf(step, reader),
      ...reasonOf(event),
      ...(event.type === "ReportVersionRestored" ? { restored: event.data.revision } : {}),
      hash: metadata.hash,
    };
  });
}

/** Returns the report as of `step`. Anything the reader may not see is masked or removed. */
export function presentReportAt(
  step: ReplayStep,
  reportId: string,
  reader: HistoryReader,
): ReportAtRevision {
  const { after, stored } = step;
  const reason = rejectionText(after.rejection_reason, after.rejection_code);
  return {
    id: reportId,
    revision: stored.revision,
    status: after.status,
    verified: after.verified,
    ...omitUndefined({ seo_title: after.published ? after.slug : null, rejection_reason: reason }),
    ...visibleReport(toWire(after), reader),
  };
}

/** Returns what the event changed: status and verification first, then fields in wire order. */
export function changesOf(step: Omit<ReplayStep, "stored">, reader: HistoryReader): Change[] {
  const { before, after, event } = step;
  if (event.type === "ReportTextMasked") {
    // Other texts before it only appear masked because their keys are destroyed.
    const { fields } = event.data;
    return fields.map((field) => ({ field, hidden: true }));
  }
  const named = event.type === "ReportEdited" ? event.data.fields : [];
  return differences(before, after, reader, named);
}

/** The differences between two states, in order. @param named fields known to have changed. */
function differences(
  before: ReportState | undefined,
  after: ReportState,
  reader: HistoryReader,
  named: readonly string[] = [],
): Change[] {
  const changes: Change[] = [];
  if (before?.status !== after.status) {
    changes.push({ field: "status", ...fromTo(before?.status, after.status) });
  }
  if (before && before.verified !== after.verified) {
    changes.push({ field: "verified", from: before.verified, to: after.verified });
  }
  const from = before ? toWire(before) : {};
  const to = toWire(after);
  const isNamed = new Set(named);
  for (const field of FIELDS) {
    if (isDerivedAmount(field, after)) continue;
    if (!isDeepStrictEqual(from[field], to[field]) && !isEmptyList(from[field], to[field])) {
      changes.push(fieldChange(field, from[field], to[field], reader));
    } else if (isNamed.has(field)) {
      // The values are erased, but the event still lists the fields it changed.
      changes.push({ field, hidden: true });
    }
  }
  return changes;
}

function fieldChange(field: ReportField, from: unknown, to: unknown, reader: HistoryReader) {
  if (visibility[field][reader] === "hidden") return { field, hidden: true };
  const [shownFrom, shownTo] = [from, to].map((value) => visibleField(field, value, reader));
  // Different values that look the same differ only in what is masked or omitted: the middle of a phone
  // number, the notes of an additional chargeback.
  if (isDeepStrictEqual(shownFrom, shownTo)) return { field, hidden: true };
  return { field, ...fromTo(shownFrom, shownTo) };
}

function fromTo(from: unknown, to: unknown): Pick<Change, "from" | "to"> {
  return omitUndefined({ from, to });
}

/** The amount of a bad check repeats its check amount, so it is not shown twice. */
function isDerivedAmount(field: ReportField, after: ReportState): boolean {
  return field === "amount" && after.report_type === "bad_check";
}

/** Every report starts with an empty list of additional chargebacks, which is not a change. */
function isEmptyList(from: unknown, to: unknown): boolean {
  return from === undefined && Array.isArray(to) && to.length === 0;
}

/** The reason of any event that has one: a code in plain text, a text in the encrypted part. */
function reasonOf({
  data,
}: ReportEvent): Pick<HistoryEntry, "reason" | "reason_code" | "duplicate_of"> {
  const { reason_code, personal, duplicate_of: other } = data as Reasoned;
  const duplicate_of = other && reportNumber(other);
  return omitUndefined({ reason: personal?.reason, reason_code, duplicate_of });
}

interface Reasoned {
  readonly reason_code?: string;
  readonly duplicate_of?: string;
  readonly personal?: { readonly reason?: string } | null;
}

/** The event as read after the report's keys are destroyed. */
function withoutParts(event: ReportEvent): ReportEvent {
  const data: Record<string, unknown> = { ...event.data };
  for (const part of ["personal", "reporter"]) if (part in data) data[part] = null;
  return { ...event, data } as ReportEvent;
}
