import { streams } from "#contracts/events/index.ts";
import { caseNumber, digitsOfCase } from "#contracts/inquiry/case-number.ts";
import { type InquiryKind, inquiryForms } from "#contracts/inquiry/inquiry-forms.ts";
import { RETENTION_DAYS } from "#contracts/retention.ts";
import { subjects } from "#contracts/sealed.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { aggregateIdOf } from "#vault/sealing/command-id.ts";
import type { CommandIds } from "../kernel/command-ids.store.ts";
import {
  type Caller,
  type CommandEnvelope,
  newEnvelope,
  systemCaller,
} from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { inquiryAggregate } from "./inquiry.aggregate.ts";
import type { InquiryCommand } from "./inquiry.commands.ts";
import type { InquiryStore, KnownInquiry } from "./inquiry.store.ts";

/** Inquiries that are erased in one go. */
const PAGE = 500;
const DAY_MS = 24 * 3_600_000;

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: Pick<KeyStore, "destroy">;
  readonly commandIds: CommandIds;
  readonly inquiries: InquiryStore;
}

/** Takes inquiries and notices, and erases them when their time is over or somebody asks for it. */
export class InquiryService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Stores what was sent. Its id is derived from the envelope's id, so that a retry finds it.
   * @throws {DomainError} `idempotency_key_reused`
   */
  async send(
    kind: InquiryKind,
    answers: Readonly<Record<string, string>>,
    sent: CommandEnvelope,
  ): Promise<{ readonly number: string; readonly position: string }> {
    const { commandIds, handler, inquiries } = this.#deps;
    const { family } = inquiryForms[kind];
    const envelope = await commandIds.settle(sent, (of) => streams[family](aggregateIdOf(of)));
    const known = { id: aggregateIdOf(envelope.id), family };
    await inquiries.add(known, envelope.caller.now);
    const command: InquiryCommand = { type: "SendInquiry", kind, answers };
    const aggregate = inquiryAggregate(known);
    const { position } = await handler.execute(aggregate, command, envelope, { creates: true });
    return { number: caseNumber(kind, known.id), position };
  }

  /**
   * Erases what somebody sent.
   * @param number as it was told, `N-7F3A9-C21B0`.
   * @returns whether there was exactly one with that number.
   */
  async eraseByNumber(number: string, caller: Caller): Promise<boolean> {
    const digits = digitsOfCase(number);
    const found = digits ? await this.#deps.inquiries.withDigits(digits) : [];
    const [one, ...more] = found;
    if (!one || more.length > 0) return false;
    await this.#erase(one, "operator", caller);
    return true;
  }

  /** Erases those whose time is over. */
  async eraseDue(nowMs: number): Promise<void> {
    const caller = systemCaller(new Date(nowMs).toISOString());
    const before = new Date(nowMs - RETENTION_DAYS.inquiry * DAY_MS);
    for (let size = PAGE; size === PAGE; ) {
      const page = await this.#deps.inquiries.receivedBefore(before, PAGE);
      for (const inquiry of page) await this.#erase(inquiry, "retention", caller);
      size = page.length;
    }
  }

  /** The event comes first: whoever follows the log finishes what a crash leaves undone. */
  async #erase(
    inquiry: KnownInquiry,
    by: Extract<InquiryCommand, { type: "EraseInquiry" }>["by"],
    caller: Caller,
  ): Promise<void> {
    const { handler, inquiries, keys } = this.#deps;
    const command = { type: "EraseInquiry", by } as const;
    await handler.execute(inquiryAggregate(inquiry), command, newEnvelope(caller));
    await keys.destroy([subjects.inquiry(inquiry.id)], caller.now);
    await inquiries.remove(inquiry.id);
  }
}
