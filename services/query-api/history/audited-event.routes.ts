import type { FastifyBaseLogger } from "fastify";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { DomainError } from "#contracts/domain-error.ts";
import { AUDITED_EVENT, type AuditedEvent, AuditedEventReply } from "#contracts/http/audit.ts";
import { strict } from "#contracts/report/fields.ts";
import { Sealed } from "#contracts/sealed.ts";
import { type ChainTip, GENESIS_HASH, verifyLink } from "#event-store/batch.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { findEntry } from "../audit-log/audit-log.queries.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";

const Id = strict({ id: Type.String({ format: "uuid" }) });

export function auditedEventRoutes(app: ServiceInstance, side: ReadSide): void {
  const events = new AuditedEvents(side);
  const read = reads(["admin", "auditor"], "audit", side.freshness.waitFor(["audit"], "one"));
  app.get(
    AUDITED_EVENT,
    read({
      summary: "The event behind an entry of the audit log, and whether its hash chain is valid",
      params: Id,
      reply: AuditedEventReply,
    }),
    async (request) => succeed(await events.read(request.params.id.toLowerCase(), request.log)),
  );
}

const SEALED = Compile(Sealed);
/** Useless to readers; they belong to email links and page URLs. */
const LEFT_OUT: ReadonlySet<string> = new Set(["link_id", "slug_hash"]);

type Deps = Pick<ReadSide, "db" | "store" | "keys" | "audit">;

/** Reads the event behind an audit log entry, together with the preceding one. Decrypts nothing. */
class AuditedEvents {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {DomainError} `not_found` */
  async read(eventId: string, log: FastifyBaseLogger): Promise<AuditedEvent> {
    const { db, audit, keys } = this.#deps;
    const [row, entry] = await Promise.all([findEntry(db, eventId), audit.one(eventId, log)]);
    const { event, before } = row ? await this.#load(row.stream, row.revision) : {};
    if (!entry || !event) throw new DomainError("not_found", "Audit log entry not found");
    const { data, metadata } = event;
    const parts = Object.entries(data).filter((field): field is [string, Sealed] =>
      SEALED.Check(field[1]),
    );
    const found = await keys.get(parts.map(([, { key }]) => key));
    const clear = Object.entries(data).filter(
      ([name, value]) => !LEFT_OUT.has(name) && !SEALED.Check(value),
    );
    const isPlain = (value: unknown) => [value].flat().every((each) => typeof each !== "object");
    return {
      entry,
      type: event.type,
      version: metadata.schemaVersion,
      revision: event.revision,
      position: event.position,
      origin: metadata.origin,
      correlation_id: metadata.correlationId,
      fields: clear
        .filter(([, value]) => isPlain(value))
        .map(([name, value]) => ({ name, value: [value].flat().join(", ") })),
      composed: clear.filter(([, value]) => !isPlain(value)).map(([name]) => name),
      sealed: parts.map(([part, { key }]) => ({
        part,
        erased: found.get(key)?.state === "destroyed",
      })),
      previous_hash: before?.hash ?? GENESIS_HASH,
      hash: metadata.hash,
      chain: verifyLink(before, event) ?? "fits",
    };
  }

  /** An event and the chain tip before it. */
  async #load(
    stream: string,
    revision: number,
  ): Promise<{ event?: StoredEvent; before?: ChainTip | undefined }> {
    let before: ChainTip | undefined;
    const from = Math.max(0, revision - 1);
    for await (const event of this.#deps.store.readStream(stream, from, { limit: 2 })) {
      if (event.revision === revision) return { event, before };
      before = { revision: event.revision, hash: event.metadata.hash };
    }
    return {};
  }
}
