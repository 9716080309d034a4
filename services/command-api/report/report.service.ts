import { randomUUID } from "node:crypto";
import { streams } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import type { SubmitReport } from "#contracts/http/reports.ts";
import { LETTER } from "#contracts/report/resolution.ts";
import { subjects } from "#contracts/sealed.ts";
import type { Revision } from "#event-store/port.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import { accessAggregate } from "../access/access.aggregate.ts";
import { openableFiles } from "../access/access.decider.ts";
import { requireOwnSession } from "../account/session-start.ts";
import type { Dependencies } from "../dependencies.ts";
import {
  type Caller,
  type CommandEnvelope,
  newEnvelope,
  type Outcome,
  ownSubject,
} from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { compensateForOwner, isStaffCommand } from "./own-account.ts";
import { reportAggregate } from "./report.aggregate.ts";
import type { DisownReport, ReportCommand } from "./report.commands.ts";
import { linkInvalid, requireExisting } from "./report.decider.ts";
import { secondAdminRequired } from "./report.deletion.ts";
import { deletedFiles } from "./report.evidence.ts";
import { reportPreparation } from "./report.prepare.ts";

export type ReportOutcome = Outcome<ReportState>;

type Deps = Parameters<typeof reportPreparation>[2] &
  Pick<Dependencies, "commandIds" | "links" | "own" | "views" | "removal" | "hidings" | "onLate">;

/** Commands that may change whether the report is hidden, which the ledger records. */
const HIDES: ReadonlySet<string> = new Set<ReportCommand["type"]>([
  "DeleteReport",
  "UndoDeletion",
  "HideReport",
]);

/** Runs report commands, each with a single append, and their follow-up work. */
export class ReportService extends Service<Deps> {
  /**
   * Runs a command. Erasing a report removes its keys, files and views. Erasing a reporter destroys their key and
   * removes their letters; withdrawing a request removes its letter. Deleting a file removes it and its copies.
   * Repeating such a command completes what is left. If this process dies, the shredder and the hourly sweep do
   * so.
   * @param expected revision that the sender has seen; absent if any will do.
   * @throws {DomainError} the decider's refusal; see `CommandHandler`; `forbidden` for staff, about a report that
   *   concerns them; `second_admin_required` once a deletion that needs approval is recorded.
   */
  async execute(
    id: string,
    command: ReportCommand,
    envelope: CommandEnvelope,
    expected?: Revision,
  ): Promise<ReportOutcome> {
    const { handler, keys, views, removal, own, suspensions } = this.deps;
    const prepare = reportPreparation(id, envelope.caller, this.deps);
    const report: ReturnType<typeof reportAggregate> = {
      ...reportAggregate(id),
      // Checked against the state being decided on, so a claim in between causes a conflict.
      prepare: async (state, sent, moment) => {
        if (isStaffCommand(sent)) await own.refuse(id, state, envelope.caller);
        if (sent.type === "SubmitReport") await suspensions.refuseAccount(envelope.caller);
        return prepare(state, sent, moment);
      },
    };
    // A retry with files, or by an account, finds its first reply before these are looked up.
    const isVisitors = ownSubject(envelope.caller) === undefined;
    const creates = command.type === "SubmitReport" && isVisitors && !command.body.evidence?.length;
    const outcome = await handler.execute(report, command, envelope, { creates, expected });
    const { now } = envelope.caller;
    const reporter = subjects.reporter(id);
    if (command.type === "EraseReporter") await keys.destroy([reporter], now);
    if (HIDES.has(command.type) && outcome.changed && !outcome.repeated) {
      const erase_at = outcome.state?.deletion?.erase_at ?? null;
      await this.deps.hidings.record({ hidden: report.stream, erase_at, at: now });
    }
    if (outcome.state?.erased) {
      const { evidence, copies } = outcome.state as ReportState;
      const files = [
        ...evidence.map(({ file_id }) => file_id),
        ...copies.map(({ copy_id }) => copy_id),
      ];
      await keys.destroy([subjects.personal(id), reporter, ...files.map(subjects.file)], now);
      await views.forget([id]);
      await removal.erase(files, now).catch(this.deps.onLate);
    }
    if (command.type === "EraseReporter" || command.type === "WithdrawResolution") {
      const { evidence } = outcome.state as ReportState;
      const letters = evidence.filter(({ kind, erased }) => kind === LETTER && erased);
      const files = letters.map(({ file_id }) => file_id);
      await keys.destroy(files.map(subjects.file), now);
      await removal.erase(files, now).catch(this.deps.onLate);
    }
    if (command.type === "MaskText") {
      const own = await handler.appendedBy(report.stream, envelope.id);
      await keys.destroy(
        own.flatMap(({ data }) => (data as { keys: string[] }).keys),
        now,
      );
    }
    if (command.type === "DeleteEvidence" || command.type === "HideEvidence") {
      const files =
        command.type === "HideEvidence"
          ? [command.copyId]
          : deletedFiles(outcome.state as ReportState, command);
      await keys.destroy(files.map(subjects.file), now);
      await removal.erase(files, now).catch(this.deps.onLate);
    }
    if (command.type === "DeleteReport" && outcome.state?.status !== "deleted")
      throw secondAdminRequired();
    return { ...outcome, state: outcome.state as ReportState };
  }

  /**
   * The report ID is derived from the envelope's, for retries.
   * @throws {DomainError} `invalid_token`: the session has ended.
   */
  async submit(body: SubmitReport, sent: CommandEnvelope): Promise<ReportOutcome & { id: string }> {
    const { commandIds, handler } = this.deps;
    const since = await requireOwnSession(handler, sent.caller);
    const envelope = await commandIds.settle(sent, (of) => streams.report(aggregateIdOf(of)));
    const id = aggregateIdOf(envelope.id);
    const outcome = await this.execute(id, { type: "SubmitReport", body }, envelope);
    const { id: accountId, role } = sent.caller.actor;
    const acquired = { reportId: id, accountId, since, lostBy: "EmailConfirmed" } as const;
    if (role !== "visitor" && role !== "system")
      await compensateForOwner(acquired, { handler, reports: this }, sent.caller);
    return { id, ...outcome };
  }

  /** Removes a report from an account that it doesn't belong to. Idempotent. */
  async disown(
    id: string,
    accountId: string,
    cause: DisownReport["cause"],
    caller: Caller,
  ): Promise<void> {
    const { handler, keys } = this.deps;
    const submittedBy = (await handler.first(reportAggregate(id)))?.metadata.actor.id;
    const command = { type: "DisownReport", accountId, submittedBy, cause } as const;
    await this.execute(id, command, newEnvelope(caller));
    await keys.disown(accountId, [subjects.reporter(id)]);
  }

  /**
   * A token to correct the report's address until the first link expires.
   * @param submitted state after submission.
   */
  correctionToken(id: string, submitted: ReportState): string | undefined {
    const [link] = submitted.links;
    if (!submitted.reporter || !link) return undefined;
    const content = { aggregateId: id, linkId: id, expiresAt: link.expires_at };
    return this.deps.links.makeToken("correct-address", content);
  }

  /**
   * Requires a token that may correct the report's address.
   * @param now RFC 3339, UTC.
   * @throws {DomainError} `link_invalid` for a token that expired or is for another report.
   */
  requireCorrection(id: string, token: string, now: string): void {
    const link = this.deps.links.readToken(token, "correct-address", now);
    if (typeof link === "string" || link.aggregateId !== id) throw linkInvalid();
  }

  /**
   * Changes the reporter's address, which sends an email there. The caller has checked the token.
   * @throws {DomainError} `already_verified`; `corrections_used`; `invalid_request` for the current address;
   *   `link_invalid` if the reporter was erased.
   */
  correctAddress(id: string, email: string, envelope: CommandEnvelope): Promise<ReportOutcome> {
    return this.execute(id, { type: "CorrectReporterAddress", email }, envelope);
  }

  /**
   * @param now RFC 3339, UTC.
   * @throws {DomainError} `link_invalid` for a malformed, forged, expired or revoked token.
   */
  async verifyByLink(
    token: string,
    envelope: (reportId: string) => CommandEnvelope,
    now: string,
  ): Promise<ReportOutcome> {
    const link = this.deps.links.readToken(token, "verify-email", now);
    if (typeof link === "string") throw linkInvalid();
    const { aggregateId: id, linkId } = link;
    return this.execute(id, { type: "VerifyReport", linkId }, envelope(id));
  }

  /**
   * Returns all fields unencrypted after recording the reveal in the log. Every call is recorded, even under a
   * repeated Idempotency-Key, because every call shows the data.
   * @param withFiles whether its files are opened too, for {@link REVEAL_MS}.
   * @throws {DomainError} `forbidden` for a report that concerns the caller; the decider's refusal.
   */
  async reveal(id: string, envelope: CommandEnvelope, withFiles: boolean) {
    const { handler, own } = this.deps;
    const loaded = await handler.load(reportAggregate(id));
    const { state: report, revision = 0 } = loaded ?? {};
    await own.refuse(id, report, envelope.caller);
    const command = { type: "RevealReport", reportId: id, report, revision, withFiles } as const;
    const reveal_id = randomUUID();
    const access = accessAggregate(reveal_id, id);
    const { position } = await handler.execute(access, command, envelope, { creates: true });
    const files = openableFiles(requireExisting(report));
    const evidence = files.length > 0 ? { evidence: files } : {};
    return {
      report: { ...toWire(requireExisting(report)), ...evidence },
      reveal_id,
      revision,
      position,
    };
  }

  /** Returns the current report, decrypted; undefined if it was never submitted. */
  async load(id: string): Promise<ReportState | undefined> {
    return (await this.deps.handler.load(reportAggregate(id)))?.state;
  }
}
