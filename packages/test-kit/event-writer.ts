import { randomUUID } from "node:crypto";
import type { PartName } from "#contracts/events/definition.ts";
import { type RegistryEvent, streams } from "#contracts/events/index.ts";
import { kindOfTemplates } from "#contracts/events/template.ts";
import { subjects } from "#contracts/sealed.ts";
import { chainEvents, type EventWithoutHash, GENESIS_HASH } from "#event-store/batch.ts";
import type { ActorRole, AppendResult, EventStore, StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { seal } from "#vault/sealing/seal.ts";

export interface WriteOptions {
  readonly actor?: { readonly id: string; readonly role: ActorRole };
  readonly origin?: "live" | "sample";
  /** RFC 3339 with milliseconds. All events of one append share it. */
  readonly time?: string;
  /** Sealed under the report's `reporter` key, or the actor's account key. */
  readonly client?: { readonly ip: string; readonly user_agent: string };
  /** Name of the command; derived from the first event's type when absent. */
  readonly command?: string;
}

/**
 * Appends events as the command side does: creates keys first, seals parts, chains hashes, and appends at the
 * stream's revision. For tests that need a log without running the commands that would fill it.
 */
export class EventWriter {
  readonly #store: EventStore;
  readonly #keys: Pick<KeyStore, "ensure" | "get">;
  readonly #codec = registryCodec;
  #texts = 0;
  readonly #tips = new Map<string, { revision: number; hash: string }>();

  constructor(store: EventStore, keys: Pick<KeyStore, "ensure" | "get">) {
    this.#store = store;
    this.#keys = keys;
  }

  /** Starts a log; its first event is the epoch. */
  async startLog(): Promise<string> {
    await this.append(streams.log, [{ type: "LogStarted", data: {} }], { actor: SYSTEM });
    for await (const event of this.#store.readStream(streams.log)) return event.id;
    throw new Error("the event log was not started");
  }

  async append(
    stream: string,
    events: readonly RegistryEvent[],
    options: WriteOptions = {},
  ): Promise<AppendResult> {
    const tip = this.#tips.get(stream) ?? (await this.#tip(stream));
    const batch = await this.seal(stream, events, options);
    const revision = (tip?.revision ?? -1) + 1;
    const chained = chainEvents(stream, revision, tip?.hash ?? GENESIS_HASH, batch);
    const result = await this.#store.append(stream, chained, tip?.revision ?? "no_stream");
    const hash = chained.at(-1)?.metadata.hash as string;
    this.#tips.set(stream, { revision: result.revision, hash });
    return result;
  }

  /** Returns the events as stored, but without their hashes, so that tests can damage them before appending. */
  async seal(
    stream: string,
    events: readonly RegistryEvent[],
    options: WriteOptions = {},
  ): Promise<EventWithoutHash[]> {
    const { actor = VISITOR, origin = "live", time = new Date().toISOString(), client } = options;
    const subjectOf = subjectsOf(stream);
    // One number per append, so that no two share a key.
    const textKey = subjects.text(stream.slice(stream.indexOf("-") + 1), this.#texts++);
    const clientSubject =
      actor.role === "visitor" ? subjectOf("reporter") : subjects.account(actor.id);
    const names = new Set(
      events.flatMap((event) =>
        PARTS.filter((part) => part in event.data && stream !== streams.log).map(subjectOf),
      ),
    );
    if (client) names.add(clientSubject);
    if (events.some((event) => this.#codec.textsOf(event).length > 0)) names.add(textKey);
    await this.#keys.ensure([...names].map((subject) => ({ subject })));
    const keys = await this.#keys.get([...names]);
    const correlationId = randomUUID();
    return events.map((event) => {
      const id = randomUUID();
      const { type } = event;
      const schemaVersion = this.#codec.versionOf(type);
      const clientKey = keys.get(clientSubject);
      const sealedClient =
        client && clientKey?.state === "present"
          ? seal(
              clientKey.key,
              { ...client },
              { eventId: id, stream, type, schemaVersion, part: "client", key: clientSubject },
            )
          : undefined;
      return {
        id,
        type,
        data: this.#codec.sealEvent(
          event,
          {
            id,
            stream,
            subjectOf: (part) => (part === "text" ? textKey : subjectOf(part as OwnPart)),
          },
          keys,
        ),
        metadata: {
          actor,
          origin,
          ...(sealedClient ? { client: sealedClient } : {}),
          command: options.command ?? commandOf(type),
          commandId: randomUUID().replaceAll("-", "").repeat(2),
          correlationId,
          causationId: correlationId,
          schemaVersion,
          time,
        },
      };
    });
  }

  async #tip(stream: string): Promise<{ revision: number; hash: string } | undefined> {
    let last: StoredEvent | undefined;
    for await (const event of this.#store.readStream(stream)) last = event;
    return last && { revision: last.revision, hash: last.metadata.hash };
  }
}

/** Parts that are not sealed out of another one. */
type OwnPart = Exclude<PartName, "text" | "reporter_text">;
const PARTS: readonly OwnPart[] = [
  "personal",
  "reporter",
  "account",
  "security",
  "sender",
  "note",
  "decision",
  "content",
  "template",
];
const VISITOR = { id: "visitor", role: "visitor" } as const;
export const SYSTEM = { id: "system", role: "system" } as const;

/** Returns the key subject of each part of a stream. */
function subjectsOf(stream: string): (part: OwnPart) => string {
  const id = stream.slice(stream.indexOf("-") + 1);
  return (part) => {
    if (part === "account") return subjects.account(id);
    if (part === "security") return subjects.security("2026-11");
    // Kinds of email are codes with underscores; a stream's name has none.
    if (part === "template") return subjects.template(kindOfTemplates(stream) ?? id);
    if (part === "sender" || part === "note" || part === "decision") return subjects.inquiry(id);
    if (stream === streams.settings) return subjects.settings;
    return subjects[part](id);
  };
}

function commandOf(type: string): string {
  return type.replace(/^(\w+?)(Submitted|Edited|Approved|Rejected|Deleted)$/, "$2$1");
}
