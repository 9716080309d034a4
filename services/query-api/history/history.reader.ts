import type { FastifyBaseLogger } from "fastify";
import type { Static } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import type { HistoryQuery, HistoryReply } from "#contracts/http/admin-reports.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { ActorNames, NameOf } from "../actors/actor-names.ts";
import { clientSubject, maskClient } from "../actors/client-masks.ts";
import { reveals } from "../audit-log/audit-log.queries.ts";
import type { AuditReader } from "../audit-log/audit-reader.ts";
import {
  differences,
  type HistoryReader,
  isErased,
  presentHistory,
  presentReportAt,
  type ReplayStep,
  replay,
} from "./history.presenter.ts";

export type ReportHistory = Static<typeof HistoryReply>["data"];

/** Which versions of the report are shown beside its events. */
export type HistoryVersions = Static<typeof HistoryQuery>;

export interface ReportHistoryDeps {
  readonly store: Pick<EventStore, "readStream">;
  readonly keys: KeyStore;
  readonly db: ReadModelDatabase;
  readonly names: ActorNames;
  readonly audit: AuditReader;
}

/** Replays reports from the log. The histories of the registry's texts and templates apart, nothing else in query-api reads the log. */
export class ReportHistories {
  readonly #deps: ReportHistoryDeps;
  readonly #codec = registryCodec;

  constructor(deps: ReportHistoryDeps) {
    this.#deps = deps;
  }

  /**
   * @param versions.at the revision to show the report at.
   * @param versions.against the one to compare it with.
   * @throws {DomainError} `report_not_found`, or `not_found` for an unknown revision.
   * @throws {KeyMissing} when a key of the report is missing: its sealed data must not look erased.
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
          ...given({ ip_address }),
        };
      }),
      ...given({
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
  return { id, role, ...given({ name: nameOf(id) }) };
}
