import type { FastifyBaseLogger } from "fastify";
import { type InquiryEvent, streams } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import { type InquiryStep, MOST_INQUIRY_STEPS } from "#contracts/http/admin-inquiries.ts";
import { statusOf } from "#contracts/inquiry/inquiry-status.ts";
import { reportNumber } from "#contracts/report/report-number.ts";
import type { EventStore } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/registry-codec.ts";
import { type ActorNames, fullName } from "../actors/actor-names.ts";

interface Deps {
  readonly store: Pick<EventStore, "readStream">;
  readonly keys: Pick<KeyStore, "get">;
  readonly names: ActorNames;
}

type Said = Omit<InquiryStep, "at" | "by">;

/** What was done about an inquiry, read from its stream. What its sender wrote is never opened. */
export class InquiryHistory {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The newest steps first. */
  async of(id: string, log: FastifyBaseLogger): Promise<InquiryStep[]> {
    const { store, keys, names } = this.#deps;
    const found: { readonly at: string; readonly actor: string; readonly said: Said }[] = [];
    const newest = { direction: "backwards", limit: MOST_INQUIRY_STEPS } as const;
    for await (const stored of store.readStream(streams.inquiry(id), "end", newest)) {
      const { time: at, actor } = stored.metadata;
      // Without its key a note stays closed, and so does everything else that is sealed.
      const isNote = stored.type === "InquiryNoteAdded";
      const opened = await keys.get(isNote ? registryCodec.subjectsOf([stored]) : []);
      const said = sayOf(registryCodec.openEvent(stored, opened) as InquiryEvent);
      if (said) found.push({ at, actor: actor.id, said });
    }
    const staff = await names.staffAmong(
      found.map(({ actor }) => actor),
      log,
    );
    return found.map(({ at, actor, said }) => {
      const name = staff.get(actor);
      return { at, ...given({ by: name && fullName(name) }), ...said };
    });
  }
}

function sayOf(event: InquiryEvent): Said | undefined {
  switch (event.type) {
    case "InquiryReceived":
      return { type: "received" };
    case "InquiryViewed":
      return { type: "viewed" };
    case "InquiryDocumentViewed":
      return { type: "document" };
    case "InquiryStatusChanged":
      return { type: "status", to: statusOf(event.data.to) };
    case "InquiryNoteAdded":
      return { type: "note", ...given({ text: event.data.note?.text }) };
    case "ReportDisclosed": {
      const { report_id } = event.data;
      return { type: "disclosed", report_id, report_number: reportNumber(report_id) };
    }
    default:
      return undefined;
  }
}
