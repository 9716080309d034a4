import type { Readable } from "node:stream";
import type { Pool } from "pg";
import { streams } from "#contracts/events/index.ts";
import type { InquiryDocument } from "#contracts/events/inquiry/inquiry-events.ts";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import {
  answersText,
  caseNumber,
  digitsOfCase,
  type InquiryForm,
  type InquiryKind,
  inquiryForms,
  threadText,
} from "#contracts/inquiry/inquiry-forms.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { KeptDays } from "#contracts/settings/catalogue.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import type { Dependencies } from "../dependencies.ts";
import {
  type Caller,
  type CommandEnvelope,
  newEnvelope,
  systemCaller,
} from "../kernel/envelope.ts";
import type { InquiryCommand } from "./inquiry.decider.ts";
import { InquiryDocuments, inquiryAggregate } from "./inquiry-documents.ts";

type Family = InquiryForm["family"];

/** An inquiry or a notice whose key may exist. */
export interface KnownInquiry {
  readonly id: string;
  readonly family: Family;
}

/** All inquiries and notices, in the command side's table `command.inquiry`. */
export class InquiryStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Adds the row before the stream exists; idempotent. */
  async add({ id, family }: KnownInquiry, receivedAt: string): Promise<void> {
    await this.#pool.query(
      "insert into command.inquiry (id, family, received_at) values ($1, $2, $3) on conflict do nothing",
      [id, family, receivedAt],
    );
  }

  async receivedBefore(before: Date, limit: number): Promise<readonly KnownInquiry[]> {
    const { rows } = await this.#pool.query<KnownInquiry>(
      "select id, family from command.inquiry where received_at < $1 order by received_at, id limit $2",
      [before, limit],
    );
    return rows;
  }

  /** The newest ones, with the time each was received. */
  async newest(limit: number): Promise<readonly (KnownInquiry & { readonly receivedAt: Date })[]> {
    const { rows } = await this.#pool.query<KnownInquiry & { receivedAt: Date }>(
      `select id, family, received_at as "receivedAt" from command.inquiry
       order by received_at desc, id limit $1`,
      [limit],
    );
    return rows;
  }

  /** @param digits the first ten hex digits of the ID, in lower case. */
  async withDigits(digits: string): Promise<readonly KnownInquiry[]> {
    const { rows } = await this.#pool.query<KnownInquiry>(
      "select id, family from command.inquiry where starts_with(replace(id::text, '-', ''), $1)",
      [digits],
    );
    return rows;
  }

  async withId(id: string): Promise<KnownInquiry | undefined> {
    const { rows } = await this.#pool.query<KnownInquiry>(
      "select id, family from command.inquiry where id = $1",
      [id],
    );
    return rows[0];
  }

  async remove(id: string): Promise<void> {
    await this.#pool.query("delete from command.inquiry where id = $1", [id]);
  }
}

const PAGE = 500;
const DAY_MS = 24 * 3_600_000;

type Documents = ConstructorParameters<typeof InquiryDocuments>[0];

type Deps = Documents &
  Pick<Dependencies, "handler" | "commandIds"> & {
    readonly inquiries: InquiryStore;
    readonly keptDays: () => Pick<KeptDays, "inquiry">;
  };

/** An inquiry's document, and the position of the event that recorded the access. */
export interface OpenedDocument extends InquiryDocument {
  readonly content: Readable;
  readonly position: string;
}

/** Accepts inquiries and notices, and erases them on request or when their retention period ends. */
export class InquiryService {
  readonly #deps: Deps;
  readonly #documents: InquiryDocuments;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#documents = new InquiryDocuments(deps);
  }

  /**
   * Stores what was sent. The ID is derived from the envelope's ID, so that a retry finds it.
   * @param upload a previously uploaded file, which is attached to the inquiry.
   * @throws {DomainError} `idempotency_key_reused`; see {@link InquiryDocuments.take}.
   */
  async send(
    kind: InquiryKind,
    answers: Readonly<Record<string, string>>,
    sent: CommandEnvelope,
    upload?: NamedUpload,
  ): Promise<{ readonly number: string; readonly position: string }> {
    const { commandIds, handler, inquiries } = this.#deps;
    const { family } = inquiryForms[kind];
    const envelope = await commandIds.settle(sent, (of) => streams[family](aggregateIdOf(of)));
    const known = { id: aggregateIdOf(envelope.id), family };
    await inquiries.add(known, envelope.caller.now);
    const command: InquiryCommand = {
      type: "SendInquiry",
      kind,
      answers,
      ...omitUndefined({ upload }),
    };
    const aggregate = inquiryAggregate(known, this.#documents);
    // A retry with a file finds its first reply before the file is looked up.
    const creates = upload === undefined;
    const { position } = await handler.execute(aggregate, command, envelope, { creates });
    // The daily sweep completes this if it fails.
    if (upload) await this.#documents.drop(upload.id, envelope.caller.now).catch(() => undefined);
    return { number: caseNumber(kind, known.id), position };
  }

  /** The newest inquiries and notices, with time, number and form title. */
  async newest(
    limit: number,
  ): Promise<readonly { readonly at: Date; readonly number: string; readonly title: string }[]> {
    const { handler, inquiries } = this.#deps;
    const found = await inquiries.newest(limit);
    const rows = await Promise.all(
      found.map(async (known) => {
        const kind = (await handler.load(inquiryAggregate(known)))?.state.kind;
        if (!kind) return [];
        const number = caseNumber(kind, known.id);
        return [{ at: known.receivedAt, number, title: inquiryForms[kind].title }];
      }),
    );
    return rows.flat();
  }

  /** Returns what was sent under a number; recorded first. @returns undefined if there is none. */
  async show(number: string, caller: Caller): Promise<ReturnType<typeof answersText> | undefined> {
    const { handler } = this.#deps;
    const known = await this.#withNumber(number);
    if (!known) return undefined;
    const command = { type: "ViewInquiry" } as const;
    const { state } = await handler.execute(inquiryAggregate(known), command, newEnvelope(caller));
    if (!state?.kind || !state.sender) return undefined;
    return [...answersText(state.kind, state.sender), ...threadText(state.answers)];
  }

  /**
   * Opens the document sent under a number; recorded first. Read it to its end.
   * @returns undefined if there is none.
   */
  async openDocument(number: string, caller: Caller): Promise<OpenedDocument | undefined> {
    const known = await this.#withNumber(number);
    return known && this.openDocumentOf(known, caller);
  }

  /** The document of an inquiry; see {@link openDocument}. */
  async openDocumentOf(known: KnownInquiry, caller: Caller): Promise<OpenedDocument | undefined> {
    const command = { type: "ViewInquiryDocument" } as const;
    const aggregate = inquiryAggregate(known);
    const { handler } = this.#deps;
    const { state, position } = await handler.execute(aggregate, command, newEnvelope(caller));
    const document = state?.sender?.document;
    const content = document && (await this.#documents.open(known.id));
    return content ? { ...document, content, position } : undefined;
  }

  /** Erases what was sent. @param number such as `N-7F3A9-C21B0`. @returns whether exactly one inquiry matched. */
  async eraseByNumber(number: string, caller: Caller): Promise<boolean> {
    const known = await this.#withNumber(number);
    if (known) await this.#erase(known, "operator", caller);
    return known !== undefined;
  }

  /** Erases what was sent, even if it is already erased. @returns whether it exists. */
  async eraseById(id: string, caller: Caller): Promise<boolean> {
    const known = await this.#deps.inquiries.withId(id);
    if (known) await this.#erase(known, "operator", caller);
    return known !== undefined;
  }

  async #withNumber(number: string): Promise<KnownInquiry | undefined> {
    const digits = digitsOfCase(number);
    const found = digits ? await this.#deps.inquiries.withDigits(digits) : [];
    return found.length === 1 ? found[0] : undefined;
  }

  /** Adds the row of an inquiry found in the log after an older database was restored. */
  async recover(known: KnownInquiry, receivedAt: string): Promise<void> {
    await this.#deps.inquiries.add(known, receivedAt);
  }

  async finishErasure(id: string, now: string): Promise<void> {
    await this.#documents.erase(id, now);
    await this.#deps.inquiries.remove(id);
  }

  async eraseDue(nowMs: number): Promise<void> {
    const caller = systemCaller(new Date(nowMs).toISOString());
    const before = new Date(nowMs - this.#deps.keptDays().inquiry * DAY_MS);
    for (let size = PAGE; size === PAGE; ) {
      const page = await this.#deps.inquiries.receivedBefore(before, PAGE);
      for (const inquiry of page) await this.#erase(inquiry, "retention", caller);
      size = page.length;
    }
  }

  /** The event comes first, so that services following the log finish what a crash interrupts. */
  async #erase(
    inquiry: KnownInquiry,
    by: Extract<InquiryCommand, { type: "EraseInquiry" }>["by"],
    caller: Caller,
  ): Promise<void> {
    const command = { type: "EraseInquiry", by } as const;
    await this.#deps.handler.execute(inquiryAggregate(inquiry), command, newEnvelope(caller));
    await this.finishErasure(inquiry.id, caller.now);
  }
}
