import type { FastifyBaseLogger } from "fastify";
import { type InquiryEvent, streams } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import { type InquiryStep, MOST_INQUIRY_STEPS } from "#contracts/http/admin-inquiries.ts";
import { statusOf } from "#contracts/inquiry/inquiry-status.ts";
import { reportNumber } from "#contracts/report/report-number.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/registry-codec.ts";
import { type ActorNames, fullName } from "../actors/actor-names.ts";

interface Deps {
  readonly store: Pick<EventStore, "readStream">;
  readonly keys: Pick<KeyStore, "get">;
  readonly names: ActorNames;
}

type Said = Omit<InquiryStep, "at" | "by" | "revision">;
type NoteEvent = Extract<InquiryEvent, { type: "InquiryNoteAdded" }>;

/** What was done about an inquiry, read from its stream. What its sender wrote is never opened. */
export class InquiryHistory {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The newest steps first. */
  async of(id: string, log: FastifyBaseLogger): Promise<InquiryStep[]> {
    const { store, names } = this.#deps;
    const found: { readonly step: InquiryStep; readonly actor: string }[] = [];
    const newest = { direction: "backwards", limit: MOST_INQUIRY_STEPS } as const;
    for await (const stored of store.readStream(streams.inquiry(id), "end", newest)) {
      const { time: at, actor } = stored.metadata;
      const said = stored.type === "InquiryNoteAdded" ? await this.#note(stored) : sayOf(stored);
      if (said) found.push({ step: { revision: stored.revision, at, ...said }, actor: actor.id });
    }
    const staff = await names.staffAmong(
      found.map(({ actor }) => actor),
      log,
    );
    return found.map(({ step, actor }) => {
      const name = staff.get(actor);
      return { ...step, ...given({ by: name && fullName(name) }) };
    });
  }

  /** A note whose key is destroyed has no text. */
  async #note(stored: StoredEvent): Promise<Said> {
    const found = await this.#deps.keys.get(registryCodec.subjectsOf([stored]));
    const { data } = registryCodec.openEvent(stored, found) as NoteEvent;
    return { type: "note", ...given({ text: data.note?.text }) };
  }
}

/** What the clear fields of an event say. */
function sayOf({ type, data }: StoredEvent): Said | undefined {
  switch (type as InquiryEvent["type"]) {
    case "InquiryReceived":
      return { type: "received" };
    case "InquiryViewed":
      return { type: "viewed" };
    case "InquiryDocumentViewed":
      return { type: "document" };
    case "InquiryStatusChanged":
      return { type: "status", to: statusOf(String(data.to)) };
    case "ReportDisclosed": {
      const report_id = String(data.report_id);
      return { type: "disclosed", report_id, report_number: reportNumber(report_id) };
    }
    default:
      return undefined;
  }
}
