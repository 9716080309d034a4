import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import {
  type InquiryState,
  type NoticeState,
  type NoticeTarget,
  sameTarget,
} from "#contracts/events/inquiry/inquiry-fold.ts";
import type { RevealedInquiry } from "#contracts/http/admin-inquiries.ts";
import type {
  DeleteNotice,
  LiftNotice,
  LinkNotice,
  PassOnCounterNotice,
  RefuseNotice,
  RestoreNotice,
  TakeDownNotice,
} from "#contracts/http/admin-notices.ts";
import { answersText, digitsOfCase } from "#contracts/inquiry/inquiry-forms.ts";
import { backBetween } from "#contracts/notice/notice-clock.ts";
import type { NoticeStatus } from "#contracts/notice/notice-rules.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { requireExisting } from "../report/report.decider.ts";
import { putBack, takeDown } from "../report/report.deletion.ts";
import {
  decideNotice,
  type InquiryCommand,
  type NoticeCommand,
  noticeNotFound,
} from "./inquiry.decider.ts";
import type { InquiryService } from "./inquiry.service.ts";
import { inquiryAggregate } from "./inquiry-documents.ts";

type Deps = Pick<Dependencies, "handler" | "known" | "reports" | "own" | "infringers" | "quota"> & {
  readonly erasures: Pick<InquiryService, "finishErasure">;
};

/** State of a notice after a command. */
export interface ModeratedNotice {
  readonly id: string;
  readonly status: NoticeStatus;
  readonly revision: number;
  readonly position: string;
}

const notice = (id: string) => inquiryAggregate({ id, family: "notice" });

/**
 * How staff handle DMCA notices and counter-notices. Reports change first, with idempotent commands, then the
 * strikes against their reporters, and the notice last, so repeating a request completes an interrupted one.
 * Refusing or unlinking works the other way around: the notice changes first, then what it hid is restored, so a
 * concurrent take-down is refused and restores its material too. Every method throws `not_found` for an unknown
 * notice, and `conflict` if it changed since the revision that the sender saw. All but notes throw `forbidden` if
 * one of its reports concerns the caller.
 */
export class NoticeModerationService extends Service<Deps> {
  /** @throws {DomainError} `report_not_found`, `report_deleted`; `not_found` for the picture. */
  async link(
    id: string,
    { revision, ...target }: LinkNotice,
    envelope: CommandEnvelope,
  ): Promise<ModeratedNotice> {
    await this.#known(id);
    const report = await this.deps.reports.load(target.report_id);
    if (!report) throw new DomainError("report_not_found", "Report not found");
    if (report.status === "deleted")
      throw new DomainError("report_deleted", "This report was deleted");
    const { copy_id } = target;
    if (copy_id !== undefined && !report.copies.some((copy) => copy.copy_id === copy_id))
      throw new DomainError("not_found", "Picture not found");
    const command = { type: "LinkNotice", target, revision } as const;
    await this.#checked(id, command, envelope);
    return this.#execute(id, command, envelope);
  }

  /** Unlinks a report or picture, and restores what the notice hid there. */
  async unlink(
    id: string,
    { revision, ...target }: LinkNotice,
    envelope: CommandEnvelope,
  ): Promise<ModeratedNotice> {
    await this.#known(id);
    const command = { type: "UnlinkNotice", target, revision } as const;
    await this.#checked(id, command, envelope);
    const notice = await this.#execute(id, command, envelope);
    await this.#release(id, [target], envelope.caller);
    return notice;
  }

  /** Refuses a notice, and restores what an unfinished take-down hid. */
  async refuse(
    id: string,
    { reason_code: reasonCode, reason, revision }: RefuseNotice,
    envelope: CommandEnvelope,
  ): Promise<ModeratedNotice> {
    await this.#known(id);
    const command = { type: "RefuseNotice", reasonCode, reason, revision } as const;
    await this.#checked(id, command, envelope);
    const notice = await this.#execute(id, command, envelope);
    await this.#release(id, [], envelope.caller);
    return notice;
  }

  /** Hides everything that the notice is linked to, or nothing if part of it can't be hidden. */
  async takeDown(
    id: string,
    { reason, revision }: TakeDownNotice,
    envelope: CommandEnvelope,
  ): Promise<ModeratedNotice> {
    await this.#known(id);
    const command = { type: "GrantNotice", reason, revision } as const;
    const { targets, isDone } = await this.#checked(id, command, envelope);
    // Don't hide again what was restored since.
    if (isDone) return this.#execute(id, command, envelope);
    const { reports } = this.deps;
    const { caller } = envelope;
    const down = targets.map(({ report_id, copy_id: copyId }) => {
      const hide = { type: "TakeDownMaterial", noticeId: id, copyId, reason } as const;
      return { report_id, hide };
    });
    for (const { report_id, hide } of down)
      takeDown(requireExisting(await reports.load(report_id)), hide);
    try {
      for (const { report_id, hide } of down)
        await reports.execute(report_id, hide, newEnvelope(caller));
      const ids = down.map(({ report_id }) => report_id);
      await this.deps.infringers.warn(id, ids, caller);
      return await this.#execute(id, command, envelope);
    } catch (error) {
      if (error instanceof DomainError) await this.#release(id, targets, caller);
      throw error;
    }
  }

  /** Restores what the notice hid; also works for an erased notice, or one that was refused or lifted. */
  async lift(
    id: string,
    { reason_code: by, revision }: LiftNotice,
    envelope: CommandEnvelope,
  ): Promise<ModeratedNotice> {
    const command = { type: "LiftNotice", by, revision } as const;
    const { targets } = await this.#checked(id, command, envelope);
    await this.#putBack(id, targets, envelope.caller);
    return this.#execute(id, command, envelope);
  }

  /** Forwards a counter-notice. The notice changes first, which notifies its sender. */
  async passOn(
    id: string,
    { notice: number, revision }: PassOnCounterNotice,
    envelope: CommandEnvelope,
  ): Promise<ModeratedNotice> {
    await this.#known(id);
    const found = await this.deps.known.withDigits(digitsOfCase(number) ?? "");
    const [answered, ...others] = found.filter(({ family }) => family === "notice");
    if (!answered || others.length > 0) throw refusalOf({ notice: "No notice has this number" });
    const command = { type: "PassOnCounterNotice", noticeId: answered.id, revision } as const;
    await this.#checked(id, command, envelope);
    const countered = { type: "CounterNotice", counterNoticeId: id } as const;
    await this.#execute(answered.id, countered, newEnvelope(envelope.caller));
    return this.#execute(id, command, envelope);
  }

  /** Restores what was hidden by the notice that the counter-notice responds to. */
  async restore(
    id: string,
    { revision }: RestoreNotice,
    envelope: CommandEnvelope,
  ): Promise<ModeratedNotice> {
    await this.#known(id);
    const received = await this.deps.handler.first(notice(id));
    const { from } = backBetween(new Date(received?.metadata.time ?? envelope.caller.now));
    const notBefore = from.toISOString();
    const command = { type: "GrantCounterNotice", notBefore, revision } as const;
    const { answers = "" } = await this.#checked(id, command, envelope);
    const { state } = (await this.deps.handler.load(notice(answers))) ?? {};
    await this.#putBack(answers, state?.notice.targets ?? [], envelope.caller);
    const by = { by: "counter_notice", counterNoticeId: id, revision: undefined } as const;
    await this.#execute(answers, { type: "LiftNotice", ...by }, newEnvelope(envelope.caller));
    return this.#execute(id, command, envelope);
  }

  /**
   * Erases what was sent, and the notes about it. IDs, dates and codes stay in the log.
   * @throws {DomainError} `notice_open` if it isn't closed; `too_many_requests`
   */
  async delete(
    id: string,
    { reason_code: reasonCode, revision }: DeleteNotice,
    envelope: CommandEnvelope,
  ): Promise<ModeratedNotice> {
    const command = { type: "DeleteNotice", reasonCode, revision } as const;
    const { isDone } = await this.#checked(id, command, envelope);
    const { caller } = envelope;
    await this.deps.quota.require(caller.actor.id, id, caller.now);
    // Otherwise no one could find what an interrupted refusal left hidden.
    if (!isDone) await this.#release(id, [], caller);
    const notice = await this.#execute(id, command, envelope);
    await this.deps.erasures.finishErasure(id, caller.now);
    return notice;
  }

  /** @throws {DomainError} `note_limit` if it has the maximum number of notes. */
  async addNote(id: string, text: string, envelope: CommandEnvelope): Promise<ModeratedNotice> {
    await this.#known(id);
    return this.#execute(id, { type: "AddInquiryNote", text }, envelope);
  }

  /** Returns what the sender wrote, recorded first. Every call is recorded, because every call shows it. */
  async reveal(
    id: string,
    caller: Caller,
  ): Promise<{ readonly answers: RevealedInquiry; readonly position: string }> {
    await this.#known(id);
    const command = { type: "ViewInquiry" } as const;
    const { handler } = this.deps;
    await this.refuseOwn(id, caller);
    const { state, position } = await handler.execute(notice(id), command, newEnvelope(caller));
    if (!state?.kind || !state.sender) throw noticeNotFound();
    return { answers: [...answersText(state.kind, state.sender)], position };
  }

  /** @throws {DomainError} `forbidden` if one of the notice's reports concerns the caller. */
  async refuseOwn(id: string, caller: Caller): Promise<void> {
    const found = await this.deps.handler.load(notice(id));
    if (found) await this.#refuseOwn(found.state.notice, caller);
  }

  /** Restores what the notice may no longer hide. @param targets what it may have hidden besides its links. */
  async #release(id: string, targets: readonly NoticeTarget[], caller: Caller): Promise<void> {
    const { state } = (await this.deps.handler.load(notice(id))) ?? {};
    if (!state) throw noticeNotFound();
    const { status, targets: linked } = state.notice;
    const others = targets.filter((target) => !linked.some((each) => sameTarget(each, target)));
    const isOver = status === "refused" || status === "lifted";
    await this.#putBack(id, isOver ? [...linked, ...others] : others, caller);
  }

  /** Restores material and lifts the strikes against its reporters. Reports deleted in the meantime stay deleted. */
  async #putBack(id: string, targets: readonly NoticeTarget[], caller: Caller): Promise<void> {
    const { reports, infringers } = this.deps;
    for (const { report_id, copy_id: copyId } of targets) {
      const report = await reports.load(report_id);
      if (!report || report.erased) continue;
      const release = { type: "PutMaterialBack", noticeId: id, copyId } as const;
      if (putBack(report, release).length > 0)
        await reports.execute(report_id, release, newEnvelope(caller));
    }
    for (const report of new Set(targets.map(({ report_id }) => report_id)))
      await infringers.lift(id, report, caller);
  }

  /** Returns the notice if the command isn't refused, so that reports change only for accepted commands. */
  async #checked(
    id: string,
    command: NoticeCommand,
    envelope: CommandEnvelope,
  ): Promise<NoticeState & { readonly isDone: boolean }> {
    const { handler } = this.deps;
    const { state } = (await handler.load(notice(id))) ?? {};
    if (!state) throw noticeNotFound();
    // A repeated command gets its original reply.
    if (await handler.isRepeat(notice(id).stream, envelope))
      return { ...state.notice, isDone: true };
    const { caller } = envelope;
    const answers = command.type === "PassOnCounterNotice" ? command.noticeId : undefined;
    await this.#refuseOwn({ answers, ...state.notice }, caller);
    if ("target" in command) await this.#refuseOwn({ targets: [command.target] }, caller);
    decideNotice(state, command, caller);
    return { ...state.notice, isDone: false };
  }

  /** Refuses staff if a report concerns them that this notice, or the one it responds to, is about. */
  async #refuseOwn(
    { targets, answers }: Pick<NoticeState, "targets" | "answers">,
    caller: Caller,
  ): Promise<void> {
    const { handler, reports, own } = this.deps;
    const answered = answers === undefined ? undefined : await handler.load(notice(answers));
    const about = [...targets, ...(answered?.state.notice.targets ?? [])];
    for (const report of new Set(about.map(({ report_id }) => report_id)))
      await own.refuse(report, await reports.load(report), caller);
  }

  async #execute(
    id: string,
    command: InquiryCommand,
    envelope: CommandEnvelope,
  ): Promise<ModeratedNotice> {
    const { handler } = this.deps;
    const { state, position } = await handler.execute(notice(id), command, envelope);
    return { id, ...stateOf(state), position };
  }

  async #known(id: string): Promise<void> {
    const known = await this.deps.known.withId(id);
    if (known?.family !== "notice") throw noticeNotFound();
  }
}

function stateOf(state: InquiryState | undefined) {
  if (!state) throw noticeNotFound();
  const { status, revision } = state.notice;
  return { status, revision };
}
