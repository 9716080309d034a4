import type { FastifyBaseLogger } from "fastify";
import { type Static, Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import { HistoryQuery, HistoryReply } from "#contracts/http/admin-reports.ts";
import { strict } from "#contracts/report/fields.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { NameOf } from "../actors/actor-names.ts";
import { clientSubject, maskClient } from "../actors/client-masks.ts";
import { reveals } from "../audit-log/audit-log.queries.ts";
import type { ReadSide } from "../read-side.ts";
import {
  differences,
  type HistoryReader,
  isErased,
  presentHistory,
  presentReportAt,
  type ReplayStep,
  replay,
} from "./history.presenter.ts";

const Id = strict({ id: Type.String({ format: "uuid" }) });

/** A report's events with the changes that each made, and the report at any revision. */
export function historyRoutes(app: ServiceInstance, side: ReadSide): void {
  const histories = new ReportHistories(side);
  app.get(
    "/prod/api/admin/reports/:id/history",
    {
      config: { roles: ["admin", "auditor"], limit: "read" },
      schema: {
        tags: ["audit"],
        summary: "A report's full history, replayed from the log",
        params: Id,
        querystring: HistoryQuery,
        response: { 200: HistoryReply },
      },
      // The events come from the log itself. Who opened sealed data comes from the audit tables.
      preHandler: side.freshness.waitFor(["audit"], "one"),
    },
    async (request) => {
      const reader = request.actor.role === "admin" ? "moderator" : "auditor";
      const id = request.params.id.toLowerCase();
      return succeed(await histories.read(id, reader, request.query, request.log));
    },
  );
}

type ReportHistory = Static<typeof HistoryReply>["data"];

/** Which versions of the report are shown beside its events. */
type HistoryVersions = Static<typeof HistoryQuery>;

type ReportHistoryDeps = Pick<ReadSide, "store" | "keys" | "db" | "names" | "audit">;

/** Replays reports from the log. The histories of the registry's texts and templates apart, nothing else in query-api reads the log. */
class ReportHistories {
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
