import type { FastifyBaseLogger } from "fastify";
import { Compile } from "typebox/compile";
import { DomainError } from "#contracts/domain-error.ts";
import type { AuditedEvent } from "#contracts/http/audit.ts";
import { Sealed } from "#contracts/sealed.ts";
import { type ChainTip, GENESIS_HASH, verifyLink } from "#event-store/batch.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { findEntry } from "../audit-log/audit-log.queries.ts";
import type { AuditReader } from "../audit-log/audit-reader.ts";

const SEALED = Compile(Sealed);
/** They help nobody who reads, and belong to links of mails and to addresses of pages. */
const LEFT_OUT: ReadonlySet<string> = new Set(["link_id", "slug_hash"]);

interface Deps {
  readonly db: ReadModelDatabase;
  readonly store: Pick<EventStore, "readStream">;
  readonly keys: Pick<KeyStore, "get">;
  readonly audit: AuditReader;
}

/** The event behind an entry of the audit log, read from the log with the one before it. Nothing is opened. */
export class AuditedEvents {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {DomainError} `not_found` */
  async read(eventId: string, log: FastifyBaseLogger): Promise<AuditedEvent> {
    const { db, audit, keys } = this.#deps;
    const [row, entry] = await Promise.all([findEntry(db, eventId), audit.one(eventId, log)]);
    const { event, before } = row ? await this.#load(row.stream, row.revision) : {};
    if (!entry || !event)
      throw new DomainError("not_found", "There is no such entry in the audit log");
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

  /** An event and the chain's tip before it. */
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
