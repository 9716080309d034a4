import { randomBytes } from "node:crypto";
import { streams } from "#contracts/events/index.ts";
import { INQUIRY_ENDS } from "#contracts/events/inquiry/inquiry-fold.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { RegistryCodec } from "#vault/sealing/event-codec.ts";
import { MailRenderer } from "./mail-renderer.ts";
import { type DropReason, MailWriter } from "./mail-writer.ts";
import type { MailToWrite } from "./outgoing-mail.ts";

/** An outbox email, with the point in the log that it was written from. */
export interface PastMail extends MailToWrite {
  /** ID of the triggering event. */
  readonly eventId: string;
  /** When it was sent (RFC 3339); absent if it wasn't. */
  readonly sentAt?: string;
}

/** An email's text, with its links hidden. */
export interface MailReading {
  readonly subject: string;
  readonly text: string;
  /** ID of the template it was written from, or `shipped`; absent if its kind has no templates. */
  readonly template?: string;
}

/**
 * Why an email can't be reconstructed: it wasn't sent, or a text of its report has since been masked. `named`:
 * the same applies to another report that it names.
 */
export type Unreadable = DropReason | "masked" | "named";

interface Deps
  extends Omit<
    ConstructorParameters<typeof MailWriter>[0],
    "links" | "reportLinks" | "unsubscribing" | "blind" | "words" | "now"
  > {
  readonly codec: RegistryCodec;
  readonly renderer: ConstructorParameters<typeof MailRenderer>[0]["renderer"];
}

/** Replaces the token in every link, so that links can be found in the text and no working link is ever created. */
const MARK = randomBytes(16).toString("hex");
export const HIDDEN_LINK = "[link hidden]";

/** Replaces each whole link that contains the mark. */
export function hideLinks(text: string, mark: string = MARK): string {
  return text.replace(new RegExp(`\\S*${mark}\\S*`, "g"), HIDDEN_LINK);
}

const noToken = () => MARK;
const unread = () => {
  throw new TypeError("only links that are written are made here");
};

/** Reconstructs emails from the log as of when they were triggered. Stores nothing. */
export class PastMails {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws as {@link MailWriter.write} does. */
  async read(mail: PastMail): Promise<MailReading | { readonly gone: Unreadable }> {
    const { store, renderer, letterhead, publicUrl } = this.#deps;
    const { productName } = letterhead;
    const alarm = { works: () => undefined, failed: () => undefined };
    const asSent = pastOf(store, { at: mail.sentAt ?? new Date().toISOString() });
    const words = new MailRenderer({
      ...this.#deps,
      store: asSent,
      renderer,
      alarm,
      productName,
      publicUrl,
    });
    const writer = new MailWriter({
      ...this.#deps,
      store: withoutWhatEnded(pastOf(store, mail), store, streams.report(mail.ownerId)),
      words,
      links: { makeToken: noToken, readToken: unread },
      reportLinks: {
        statusToken: noToken,
        questionToken: noToken,
        answerToken: noToken,
        readStatusToken: unread,
        readQuestionToken: unread,
        readAnswerToken: unread,
      },
      unsubscribing: { makeToken: noToken, readToken: unread },
      blind: noToken,
      now: () => Date.parse(mail.at),
    });
    try {
      const written = await writer.write(mail);
      if ("drop" in written) return { gone: written.drop };
      const { subject, text } = written.mail;
      const { template } = written.used ?? {};
      return {
        subject: hideLinks(subject),
        text: hideLinks(text),
        ...(template === undefined ? {} : { template }),
      };
    } catch (error) {
      if (error instanceof Gone) return { gone: error.why };
      throw error;
    }
  }
}

class Gone extends Error {
  readonly why: Unreadable;

  constructor(why: Unreadable) {
    super(why);
    this.why = why;
  }
}

type Log = Pick<EventStore, "readStream">;

/** The log as it was: each stream up to the triggering event or, if the stream doesn't contain it, up to a time. */
function pastOf(
  store: Log,
  { eventId, at }: { readonly eventId?: string; readonly at: string },
): Log {
  return {
    async *readStream(stream, _, options) {
      const events: StoredEvent[] = [];
      for await (const event of store.readStream(stream)) events.push(event);
      const asking = events.findIndex(({ id }) => id === eventId);
      const isPast = ({ metadata }: StoredEvent) => Date.parse(metadata.time) <= Date.parse(at);
      const past = asking >= 0 ? events.slice(0, asking + 1) : events.filter(isPast);
      if (options?.direction === "backwards") past.reverse();
      yield* past.slice(0, options?.limit);
    },
  };
}

const REPORTS = streams.report("");
const ERASURES = new Set(["ReportErased", "ReporterErased", ...ACCOUNT_ENDS, ...INQUIRY_ENDS]);

/**
 * Refuses to read a stream whose person, report or texts have since been removed.
 * @param own the report's stream.
 * @throws {Gone}
 */
function withoutWhatEnded(past: Log, now: Log, own: string): Log {
  const goneOf = (stream: string, why: Unreadable) =>
    new Gone(stream !== own && stream.startsWith(REPORTS) ? "named" : why);
  return {
    async *readStream(stream, from, options) {
      let revision = -1;
      for await (const event of past.readStream(stream, from, options)) {
        revision = event.revision;
        yield event;
      }
      let isDeleted = false;
      let isMasked = false;
      for await (const event of now.readStream(stream)) {
        if (ERASURES.has(event.type)) throw goneOf(stream, "erased");
        if (event.type === "ReportTextMasked" && event.revision > revision) isMasked = true;
        if (event.type === "ReportDeleted") isDeleted = true;
        if (event.type === "ReportDeletionUndone") isDeleted = false;
      }
      if (isDeleted) throw goneOf(stream, "deleted");
      if (isMasked) throw goneOf(stream, "masked");
    },
  };
}
