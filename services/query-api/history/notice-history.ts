import type { FastifyBaseLogger } from "fastify";
import { type InquiryEvent, streams } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import { MOST_NOTICE_STEPS, type NoticeStep } from "#contracts/http/admin-notices.ts";
import { caseNumber } from "#contracts/inquiry/case-number.ts";
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

type Said = Omit<NoticeStep, "at" | "by" | "revision">;

/** What was done about a notice, read from its stream. What its sender wrote is never opened. */
export class NoticeHistory {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The newest steps first. */
  async of(id: string, log: FastifyBaseLogger): Promise<NoticeStep[]> {
    const { store, names } = this.#deps;
    const found: { readonly step: NoticeStep; readonly actor: string }[] = [];
    const newest = { direction: "backwards", limit: MOST_NOTICE_STEPS } as const;
    for await (const stored of store.readStream(streams.notice(id), "end", newest)) {
      const { time: at, actor } = stored.metadata;
      const said = sayOf(await this.#opened(stored));
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

  /** The words of staff are opened, and nobody else's. */
  async #opened(stored: StoredEvent): Promise<InquiryEvent> {
    const { type, data } = stored;
    if (type === "NoticeReceived")
      return { type, data: { kind: String(data.kind) } } as InquiryEvent;
    const found = await this.#deps.keys.get(registryCodec.subjectsOf([stored]));
    return registryCodec.openEvent(stored, found) as InquiryEvent;
  }
}

function sayOf(event: InquiryEvent): Said | undefined {
  switch (event.type) {
    case "NoticeReceived":
      return { type: "received" };
    case "NoticeViewed":
      return { type: "viewed" };
    case "NoticeNoteAdded":
      return { type: "note", ...given({ text: event.data.note?.text }) };
    case "NoticeLinked":
    case "NoticeUnlinked": {
      const { report_id, copy_id } = event.data;
      const target = { report_id, ...given({ copy_id }), report_number: reportNumber(report_id) };
      return { type: event.type === "NoticeLinked" ? "linked" : "unlinked", target };
    }
    case "NoticeRefused": {
      const { reason_code, decision } = event.data;
      return { type: "refused", reason_code, ...given({ text: decision?.reason }) };
    }
    case "NoticeGranted": {
      const { outcome, decision } = event.data;
      const type = outcome === "restored" ? "restored" : "taken_down";
      return { type, ...given({ text: decision?.reason }) };
    }
    case "NoticeCountered":
      return {
        type: "countered",
        notice: related("counter_notice", event.data.counter_notice_id),
      };
    case "NoticeLifted": {
      const { by, counter_notice_id: id } = event.data;
      const notice = id === undefined ? {} : { notice: related("counter_notice", id) };
      return { type: "lifted", reason_code: by, ...notice };
    }
    case "CounterNoticeLinked":
      return { type: "passed_on", notice: related("takedown", event.data.notice_id) };
    default:
      return undefined;
  }
}

function related(kind: "takedown" | "counter_notice", id: string) {
  return { id, number: caseNumber(kind, id) };
}
