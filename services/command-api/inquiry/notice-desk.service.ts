import { DomainError } from "#contracts/domain-error.ts";
import type { InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import type { NoticeTarget } from "#contracts/events/inquiry/notice-fold.ts";
import type { RevealedInquiry } from "#contracts/http/admin-inquiries.ts";
import type {
  LiftNotice,
  LinkNotice,
  PassOnCounterNotice,
  RefuseNotice,
  RestoreNotice,
  TakeDownNotice,
} from "#contracts/http/admin-notices.ts";
import { answersInWords } from "#contracts/inquiry/answers-in-words.ts";
import { digitsOfCase } from "#contracts/inquiry/case-number.ts";
import { backBetween } from "#contracts/notice/notice-clock.ts";
import type { NoticeStatus } from "#contracts/notice/notice-rules.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { ReportService } from "../report/report.service.ts";
import { inquiryAggregate } from "./inquiry.aggregate.ts";
import type { InquiryCommand, NoticeCommand } from "./inquiry.commands.ts";
import type { InquiryStore } from "./inquiry.store.ts";
import { decideNotice, noticeNotFound } from "./notice.decider.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly known: Pick<InquiryStore, "withId" | "withDigits">;
  readonly reports: Pick<ReportService, "execute" | "load">;
}

/** How a notice stands after a command. */
export interface NoticeStanding {
  readonly id: string;
  readonly status: NoticeStatus;
  readonly revision: number;
  readonly position: string;
}

const notice = (id: string) => inquiryAggregate({ id, family: "notice" });

/**
 * What staff do about DMCA notices and counter-notices. Reports change first, each by a command that changes
 * nothing the second time, and the notice last: what a crash leaves undone, the next press finishes.
 * Every method throws `not_found` where there is no such notice, and `conflict` where it was changed since the
 * revision that the sender saw.
 */
export class NoticeDesk {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {DomainError} `report_not_found`, `report_deleted`; `not_found` for the picture. */
  async link(
    id: string,
    { revision, ...target }: LinkNotice,
    envelope: CommandEnvelope,
  ): Promise<NoticeStanding> {
    await this.#known(id);
    const report = await this.#deps.reports.load(target.report_id);
    if (!report) throw new DomainError("report_not_found", "Report not found");
    if (report.status === "deleted")
      throw new DomainError("report_deleted", "This report was deleted");
    const { copy_id } = target;
    if (copy_id !== undefined && !report.copies.some((copy) => copy.copy_id === copy_id))
      throw new DomainError("not_found", "There is no such picture");
    return this.#execute(id, { type: "LinkNotice", target, revision }, envelope);
  }

  async unlink(
    id: string,
    { revision, ...target }: LinkNotice,
    envelope: CommandEnvelope,
  ): Promise<NoticeStanding> {
    await this.#known(id);
    return this.#execute(id, { type: "UnlinkNotice", target, revision }, envelope);
  }

  async refuse(
    id: string,
    { reason_code: reasonCode, reason, revision }: RefuseNotice,
    envelope: CommandEnvelope,
  ): Promise<NoticeStanding> {
    await this.#known(id);
    return this.#execute(id, { type: "RefuseNotice", reasonCode, reason, revision }, envelope);
  }

  /** Hides everything that the notice is linked to. */
  async takeDown(
    id: string,
    { reason, revision }: TakeDownNotice,
    envelope: CommandEnvelope,
  ): Promise<NoticeStanding> {
    await this.#known(id);
    const command = { type: "GrantNotice", reason, revision } as const;
    const { targets } = await this.#checked(id, command, envelope);
    for (const { report_id, copy_id: copyId } of targets) {
      const takeDown = { type: "TakeDownMaterial", noticeId: id, copyId, reason } as const;
      await this.#deps.reports.execute(report_id, takeDown, newEnvelope(envelope.caller));
    }
    return this.#execute(id, command, envelope);
  }

  /** Puts everything back that the notice hid, also when the notice is erased. */
  async lift(
    id: string,
    { reason_code: by, revision }: LiftNotice,
    envelope: CommandEnvelope,
  ): Promise<NoticeStanding> {
    const command = { type: "LiftNotice", by, revision } as const;
    const { targets } = await this.#checked(id, command, envelope);
    await this.#putBack(id, targets, envelope.caller);
    return this.#execute(id, command, envelope);
  }

  /** The counter-notice answers a notice, whose sender is told first. */
  async passOn(
    id: string,
    { notice: number, revision }: PassOnCounterNotice,
    envelope: CommandEnvelope,
  ): Promise<NoticeStanding> {
    await this.#known(id);
    const found = await this.#deps.known.withDigits(digitsOfCase(number) ?? "");
    const [answered, ...others] = found.filter(({ family }) => family === "notice");
    if (!answered || others.length > 0) {
      const sentence = "There is no notice with this number";
      throw new DomainError("invalid_request", sentence, { notice: sentence });
    }
    const command = { type: "PassOnCounterNotice", noticeId: answered.id, revision } as const;
    await this.#checked(id, command, envelope);
    const countered = { type: "CounterNotice", counterNoticeId: id } as const;
    await this.#execute(answered.id, countered, newEnvelope(envelope.caller));
    return this.#execute(id, command, envelope);
  }

  /** Puts back what the notice hid that the counter-notice answers. */
  async restore(
    id: string,
    { revision }: RestoreNotice,
    envelope: CommandEnvelope,
  ): Promise<NoticeStanding> {
    await this.#known(id);
    const received = await this.#deps.handler.first(notice(id));
    const { from } = backBetween(new Date(received?.metadata.time ?? envelope.caller.now));
    const notBefore = from.toISOString();
    const command = { type: "GrantCounterNotice", notBefore, revision } as const;
    const { answers = "" } = await this.#checked(id, command, envelope);
    const { state } = (await this.#deps.handler.load(notice(answers))) ?? {};
    await this.#putBack(answers, state?.notice.targets ?? [], envelope.caller);
    const by = { by: "counter_notice", counterNoticeId: id, revision: undefined } as const;
    await this.#execute(answers, { type: "LiftNotice", ...by }, newEnvelope(envelope.caller));
    return this.#execute(id, command, envelope);
  }

  /** @throws {DomainError} `conflict`: it has as many notes as it may have. */
  async addNote(id: string, text: string, envelope: CommandEnvelope): Promise<NoticeStanding> {
    await this.#known(id);
    return this.#execute(id, { type: "AddInquiryNote", text }, envelope);
  }

  /**
   * What the sender wrote, after the log has noted that it is read. Every call is noted, also under one
   * Idempotency-Key, because each shows the words.
   */
  async reveal(
    id: string,
    caller: Caller,
  ): Promise<{ readonly answers: RevealedInquiry; readonly position: string }> {
    await this.#known(id);
    const command = { type: "ViewInquiry" } as const;
    const { handler } = this.#deps;
    const { state, position } = await handler.execute(notice(id), command, newEnvelope(caller));
    if (!state?.kind || !state.sender) throw noticeNotFound();
    return { answers: [...answersInWords(state.kind, state.sender)], position };
  }

  /** Reports that were deleted meanwhile stay deleted. */
  async #putBack(id: string, targets: readonly NoticeTarget[], caller: Caller): Promise<void> {
    const { reports } = this.#deps;
    for (const { report_id, copy_id: copyId } of targets) {
      const report = await reports.load(report_id);
      if (!report || report.status === "deleted") continue;
      const putBack = { type: "PutMaterialBack", noticeId: id, copyId } as const;
      await reports.execute(report_id, putBack, newEnvelope(caller));
    }
  }

  /** The notice, where the command is not refused: reports change only then. */
  async #checked(id: string, command: NoticeCommand, { caller, ids }: CommandEnvelope) {
    const { handler } = this.#deps;
    const { state } = (await handler.load(notice(id))) ?? {};
    if (!state) throw noticeNotFound();
    // One that was done before is answered as it was then.
    for (const each of ids ?? [])
      if ((await handler.revisionOf(notice(id).stream, each)) !== undefined) return state.notice;
    decideNotice(state, command, caller);
    return state.notice;
  }

  async #execute(
    id: string,
    command: InquiryCommand,
    envelope: CommandEnvelope,
  ): Promise<NoticeStanding> {
    const { handler } = this.#deps;
    const { state, position } = await handler.execute(notice(id), command, envelope);
    return { id, ...standingOf(state), position };
  }

  async #known(id: string): Promise<void> {
    const known = await this.#deps.known.withId(id);
    if (known?.family !== "notice") throw noticeNotFound();
  }
}

function standingOf(state: InquiryState | undefined) {
  if (!state) throw noticeNotFound();
  const { status, revision } = state.notice;
  return { status, revision };
}
