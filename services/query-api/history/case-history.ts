import type { FastifyBaseLogger } from "fastify";
import { type InquiryEvent, streams } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import { type InquiryStep, MOST_INQUIRY_STEPS } from "#contracts/http/admin-inquiries.ts";
import { MOST_NOTICE_STEPS, type NoticeStep } from "#contracts/http/admin-notices.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { statusOf } from "#contracts/inquiry/inquiry-status.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { ReadSide } from "../read-side.ts";

type Deps = Pick<ReadSide, "store" | "keys" | "names">;

/** Opens the words of an event; those whose key is destroyed are left out. */
type Open = (stored: StoredEvent) => Promise<InquiryEvent>;
type NoteEvent = Extract<InquiryEvent, { type: "InquiryNoteAdded" }>;
type Said<Step> = Omit<Step, "at" | "by" | "revision">;

/** What was done about a case, read from its stream. What its sender wrote is never opened. */
export interface CaseHistory<Step> {
  /** The newest steps first. */
  of(id: string, log: FastifyBaseLogger): Promise<Step[]>;
}

function caseHistory<Step extends { at: string; revision: number; by?: string }>(
  { store, keys, names }: Deps,
  streamOf: (id: string) => string,
  most: number,
  sayOf: (stored: StoredEvent, open: Open) => Promise<Said<Step> | undefined>,
): CaseHistory<Step> {
  const open: Open = async (stored) => {
    const found = await keys.get(registryCodec.subjectsOf([stored]));
    return registryCodec.openEvent(stored, found) as InquiryEvent;
  };
  return {
    async of(id, log) {
      const found: { readonly stored: StoredEvent; readonly said: Said<Step> }[] = [];
      const newest = { direction: "backwards", limit: most } as const;
      for await (const stored of store.readStream(streamOf(id), "end", newest)) {
        const said = await sayOf(stored, open);
        if (said) found.push({ stored, said });
      }
      const nameOf = await names.nameOf(
        found.map(({ stored }) => stored.metadata.actor.id),
        log,
      );
      return found.map(({ stored: { revision, metadata }, said }) => {
        const by = nameOf(metadata.actor.id);
        return { revision, at: metadata.time, ...said, ...given({ by }) } as unknown as Step;
      });
    },
  };
}

export function inquiryHistory(deps: Deps): CaseHistory<InquiryStep> {
  return caseHistory(deps, streams.inquiry, MOST_INQUIRY_STEPS, sayOfInquiry);
}

export function noticeHistory(deps: Deps): CaseHistory<NoticeStep> {
  return caseHistory(deps, streams.notice, MOST_NOTICE_STEPS, sayOfNotice);
}

/** What the clear fields of an event say, and the text of a note. */
async function sayOfInquiry(
  stored: StoredEvent,
  open: Open,
): Promise<Said<InquiryStep> | undefined> {
  const { type, data } = stored;
  switch (type as InquiryEvent["type"]) {
    case "InquiryReceived":
      return { type: "received" };
    case "InquiryNoteAdded": {
      const { data: opened } = (await open(stored)) as NoteEvent;
      return { type: "note", ...given({ text: opened.note?.text }) };
    }
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

/** The words of staff are opened, and nobody else's. */
async function sayOfNotice(stored: StoredEvent, open: Open): Promise<Said<NoticeStep> | undefined> {
  if (stored.type === "NoticeReceived") return { type: "received" };
  const event = await open(stored);
  switch (event.type) {
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
