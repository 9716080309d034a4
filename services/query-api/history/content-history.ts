import type { FastifyBaseLogger } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { type ContentEvent, contentEvents, streams } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import type { ContentText, ContentVersion } from "#contracts/http/admin-content.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { ReadSide } from "../read-side.ts";

type Deps = Pick<ReadSide, "store" | "keys" | "names">;

/** Events that hold a whole text. */
const WITH_TEXT: ReadonlySet<string> = new Set(
  contentEvents.filter(({ parts }) => "content" in parts).map(({ type }) => type),
);

/** The latest events of a text that its history shows. */
const MOST_EVENTS = 500;

/** Who changed a text and when, and each version of it, read from the log. */
export class ContentHistory {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Its latest events, oldest first; none for a text as it ships. */
  async of(id: string, log: FastifyBaseLogger): Promise<ContentVersion[]> {
    const events: StoredEvent[] = [];
    const newest = { direction: "backwards", limit: MOST_EVENTS } as const;
    for await (const event of this.#deps.store.readStream(streams.content(id), "end", newest))
      events.unshift(event);
    const actors = events.map(({ metadata }) => metadata.actor.id);
    const nameOf = await this.#deps.names.nameOf(actors, log);
    return events.map(({ type, data, revision, metadata }) => {
      const { version, revision: restored } = data as { version?: string; revision?: number };
      const isShipped = type === "ContentShipped";
      return {
        revision,
        type,
        // Whoever made the first change did not write what ships.
        ...(isShipped ? {} : given({ at: metadata.time, actor: nameOf(metadata.actor.id) })),
        ...given({ version, restored }),
        has_text: WITH_TEXT.has(type),
      };
    });
  }

  /** @throws {DomainError} `not_found` unless the event at that revision holds a text. */
  async version(id: string, revision: number): Promise<ContentText> {
    const { store, keys } = this.#deps;
    for await (const event of store.readStream(streams.content(id), revision, { limit: 1 })) {
      const found = await keys.get(registryCodec.subjectsOf([event]));
      const opened = registryCodec.openEvent(event, found) as ContentEvent;
      const content = "content" in opened.data ? opened.data.content : undefined;
      if (!content) break;
      const { title, description, body, order } = content;
      return { title, description, body, ...given({ order }) };
    }
    throw new DomainError("not_found", `This text has no version ${revision}`);
  }
}
