import type { FastifyBaseLogger } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import {
  type ContentEvent,
  contentEvents,
  type InquiryEvent,
  streams,
  type TemplateEvent,
} from "#contracts/events/index.ts";
import { evolveTemplates, type KindState, type TemplateText } from "#contracts/events/template.ts";
import { type InquiryStep, MAX_INQUIRY_STEPS } from "#contracts/http/admin-inquiries.ts";
import { MAX_NOTICE_STEPS, type NoticeStep } from "#contracts/http/admin-notices.ts";
import type { TemplateVersion } from "#contracts/http/admin-templates.ts";
import type { ContentText, ContentVersion } from "#contracts/http/content.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { statusOf } from "#contracts/inquiry/inquiry-status.ts";
import {
  TEMPLATE_KINDS,
  type TemplateKind,
  type TemplateStatus,
} from "#contracts/mail/template-kinds.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import type { Position, StoredEvent } from "#event-store/port.ts";
import { openStream } from "#vault/open-stream.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { NameOf } from "../actors/actor-names.ts";
import type { ReadSide } from "../read-side.ts";

type Deps = Pick<ReadSide, "store" | "keys" | "names">;

/** Decrypts an event, omitting parts whose key is destroyed. */
type Open = (stored: StoredEvent) => Promise<InquiryEvent>;
type NoteEvent = Extract<InquiryEvent, { type: "InquiryNoteAdded" }>;
type AnswerEvent = Extract<InquiryEvent, { type: "InquiryAnswered" }>;
type Said<Step> = Omit<Step, "at" | "by" | "revision">;

/** The actions taken on a case, read from its stream. What its sender wrote is never decrypted. */
interface CaseHistory<Step> {
  /** Newest steps first. */
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
        return {
          revision,
          at: metadata.time,
          ...said,
          ...omitUndefined({ by }),
        } as unknown as Step;
      });
    },
  };
}

export function inquiryHistory(deps: Deps): CaseHistory<InquiryStep> {
  return caseHistory(deps, streams.inquiry, MAX_INQUIRY_STEPS, sayOfInquiry);
}

export function noticeHistory(deps: Deps): CaseHistory<NoticeStep> {
  return caseHistory(deps, streams.notice, MAX_NOTICE_STEPS, sayOfNotice);
}

/** Presents the plain-text fields of an event, and the text of a note or an answer. */
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
      return { type: "note", ...omitUndefined({ text: opened.note?.text }) };
    }
    case "InquiryAnswered": {
      const { data: opened } = (await open(stored)) as AnswerEvent;
      const { link, note } = opened;
      return { type: "answered", answer_id: link.link_id, ...omitUndefined({ text: note?.text }) };
    }
    case "InquiryReplied":
      return { type: "replied", answer_id: String(data.answer_id) };
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

/** Only text written by staff is decrypted. */
async function sayOfNotice(stored: StoredEvent, open: Open): Promise<Said<NoticeStep> | undefined> {
  if (stored.type === "NoticeReceived") return { type: "received" };
  const event = await open(stored);
  switch (event.type) {
    case "NoticeViewed":
      return { type: "viewed" };
    case "NoticeNoteAdded":
      return { type: "note", ...omitUndefined({ text: event.data.note?.text }) };
    case "NoticeLinked":
    case "NoticeUnlinked": {
      const { report_id, copy_id } = event.data;
      const target = {
        report_id,
        ...omitUndefined({ copy_id }),
        report_number: reportNumber(report_id),
      };
      return { type: event.type === "NoticeLinked" ? "linked" : "unlinked", target };
    }
    case "NoticeRefused": {
      const { reason_code, decision } = event.data;
      return { type: "refused", reason_code, ...omitUndefined({ text: decision?.reason }) };
    }
    case "NoticeGranted": {
      const { outcome, decision } = event.data;
      const type = outcome === "restored" ? "restored" : "taken_down";
      return { type, ...omitUndefined({ text: decision?.reason }) };
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

/** Events that contain a full text. */
const WITH_TEXT: ReadonlySet<string> = new Set(
  contentEvents.filter(({ parts }) => "content" in parts).map(({ type }) => type),
);

/** Maximum number of events in a text's history, the latest ones. */
const MAX_EVENTS = 500;

/** Who changed a text and when, and each version of it, read from the log. */
export class ContentHistory {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns its latest events, oldest first; empty for an unmodified shipped text. */
  async of(id: string, log: FastifyBaseLogger): Promise<ContentVersion[]> {
    const events: StoredEvent[] = [];
    const newest = { direction: "backwards", limit: MAX_EVENTS } as const;
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
        // The person who made the first change did not write the shipped text.
        ...(isShipped
          ? {}
          : omitUndefined({ at: metadata.time, actor: nameOf(metadata.actor.id) })),
        ...omitUndefined({ version, restored }),
        has_text: WITH_TEXT.has(type),
      };
    });
  }

  /** @throws {DomainError} `not_found` unless the event at that revision contains a text. */
  async version(id: string, revision: number): Promise<ContentText> {
    const { store, keys } = this.#deps;
    for await (const event of store.readStream(streams.content(id), revision, { limit: 1 })) {
      const found = await keys.get(registryCodec.subjectsOf([event]));
      const opened = registryCodec.openEvent(event, found) as ContentEvent;
      const content = "content" in opened.data ? opened.data.content : undefined;
      if (!content) break;
      const { title, description, body, order } = content;
      return { title, description, body, ...omitUndefined({ order }) };
    }
    throw new DomainError("not_found", `This text has no version ${revision}`);
  }
}

/** A template as of its latest event. */
export interface PresentTemplate {
  readonly kind: TemplateKind;
  readonly id: string;
  readonly status: TemplateStatus;
  readonly revision: number;
  readonly text: TemplateText;
  /** When it was last changed (RFC 3339), and by whom, if the name is known. */
  readonly changed: { readonly at: string; readonly by?: string };
  /** Its events, oldest first. */
  readonly history: readonly TemplateVersion[];
}

/** A template event before names are resolved. */
interface Step {
  readonly id: string;
  readonly event: TemplateEvent;
  readonly revision: number;
  readonly at: string;
  readonly actor: string;
}

interface ReadKind {
  readonly state: KindState | undefined;
  readonly steps: readonly Step[];
}

/** The templates of a kind, and whether the shipped one is active. */
export interface KindTemplates {
  readonly isShippedActive: boolean;
  readonly templates: readonly PresentTemplate[];
}

/** Email templates, read from the log: they are few, and this is exactly what is sent. */
export class TemplateHistory {
  readonly #deps: Deps;
  /** All kinds as of a log head. While nothing is appended, nothing is read again. */
  #last:
    | { readonly head: Position; readonly kinds: readonly (readonly [TemplateKind, ReadKind])[] }
    | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns the templates of each kind that are not deleted. */
  async all(log: FastifyBaseLogger): Promise<ReadonlyMap<TemplateKind, KindTemplates>> {
    const kinds = await this.#readAll();
    const steps = kinds.flatMap(([, read]) => read.steps);
    const nameOf = await this.#names(steps, log);
    return new Map(kinds.map(([kind, read]) => [kind, present(kind, read, nameOf)]));
  }

  async of(kind: TemplateKind, log: FastifyBaseLogger): Promise<KindTemplates> {
    const read = await this.#read(kind);
    return present(kind, read, await this.#names(read.steps, log));
  }

  /** @throws {DomainError} `not_found` unless the event at that revision contains the template's text. */
  async version(kind: TemplateKind, id: string, revision: number): Promise<TemplateText> {
    const { steps } = await this.#read(kind);
    const event = steps.find((step) => step.id === id && step.revision === revision)?.event;
    const text = event && "template" in event.data ? event.data.template : undefined;
    if (!text) throw new DomainError("not_found", `This template has no version ${revision}`);
    return text;
  }

  async #readAll() {
    const head = await this.#deps.store.head();
    if (this.#last?.head === head) return this.#last.kinds;
    const kinds = await Promise.all(
      TEMPLATE_KINDS.map(async (kind) => [kind, await this.#read(kind)] as const),
    );
    this.#last = { head, kinds };
    return kinds;
  }

  #names(steps: readonly Step[], log: FastifyBaseLogger): Promise<NameOf> {
    return this.#deps.names.nameOf(
      steps.map(({ actor }) => actor),
      log,
    );
  }

  async #read(kind: TemplateKind): Promise<ReadKind> {
    const { store, keys } = this.#deps;
    const deps = { store, keys, codec: registryCodec };
    const { events } = await openStream<TemplateEvent>(streams.template(kind), deps);
    let state: KindState | undefined;
    const steps = events.map(({ event, stored: { revision, metadata } }): Step => {
      state = evolveTemplates(state, event);
      const id = event.data.template_id;
      return { id, event, revision, at: metadata.time, actor: metadata.actor.id };
    });
    return { state, steps };
  }
}

function present(kind: TemplateKind, { state, steps }: ReadKind, nameOf: NameOf): KindTemplates {
  const templates = [...(state?.templates.values() ?? [])].flatMap(
    ({ id, status, revision, text }): PresentTemplate[] => {
      if (status === "deleted" || !text) return [];
      const own = steps.filter((step) => step.id === id);
      const last = own.find((step) => step.revision === revision);
      const history = own.slice(-MAX_EVENTS).map(({ event, revision: at, ...step }) => ({
        revision: at,
        type: event.type,
        at: step.at,
        ...omitUndefined({
          actor: nameOf(step.actor),
          restored: event.type === "TemplateRestored" ? event.data.revision : undefined,
        }),
        has_text: "template" in event.data,
      }));
      const changed = { at: last?.at ?? "", ...omitUndefined({ by: last && nameOf(last.actor) }) };
      return [{ kind, id, status, revision, text, changed, history }];
    },
  );
  return { isShippedActive: state?.active === undefined, templates };
}
