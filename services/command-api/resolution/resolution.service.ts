import {
  RESOLUTION_COMMANDS,
  type RequestResolution,
  type ResolutionBody,
  type ResolutionCommandName,
  resolutionCommand,
  type StaffResolutionCommand,
} from "#contracts/http/resolution.ts";
import type { AccountStore } from "../account/account.store.ts";
import { requireOwnSession } from "../account/own-session.ts";
import type { StreamDeps } from "../export/opened-stream.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { ownsReport } from "../report/owns-report.ts";
import { reportAggregate } from "../report/report.aggregate.ts";
import { notFound } from "../report/report.claim.ts";
import type { ReportOutcome, ReportService } from "../report/report.service.ts";

interface Deps extends StreamDeps {
  readonly handler: CommandHandler;
  readonly reports: Pick<ReportService, "execute">;
  readonly accounts: Pick<AccountStore, "activeAdmins">;
}

/** Runs the commands about the RESOLVED banner: those of a report's owner, and those of staff. */
export class ResolutionService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Asks for the banner with a letter that was uploaded.
   * @throws {DomainError} `report_not_found` for everything that is not the caller's own report;
   *   `invalid_token`; the decider's refusals.
   */
  async request(
    id: string,
    body: RequestResolution,
    envelope: CommandEnvelope,
  ): Promise<ReportOutcome> {
    await this.#requireOwn(id, envelope);
    return this.#deps.reports.execute(id, { type: "RequestResolution", body }, envelope);
  }

  /** Takes a request back that is not paid. @throws {DomainError} as {@link request} does. */
  async withdraw(id: string, requestId: string, envelope: CommandEnvelope): Promise<ReportOutcome> {
    await this.#requireOwn(id, envelope);
    return this.#deps.reports.execute(id, { type: "WithdrawResolution", requestId }, envelope);
  }

  /**
   * Runs a command of staff. All admins are mailed of one about money.
   * @throws {DomainError} `forbidden` about a report that concerns the caller; the decider's refusals.
   */
  async decide<N extends ResolutionCommandName>(
    id: string,
    name: N,
    body: ResolutionBody<N>,
    envelope: CommandEnvelope,
  ): Promise<ReportOutcome> {
    const { accounts, reports } = this.#deps;
    const told = resolutionCommand(name).isPayment ? await accounts.activeAdmins() : [];
    const command = { type: RESOLUTION_COMMANDS[name].type, body } as StaffResolutionCommand;
    return reports.execute(id, { ...command, told }, envelope);
  }

  async #requireOwn(id: string, { caller }: CommandEnvelope): Promise<void> {
    const { handler } = this.#deps;
    await requireOwnSession(handler, caller);
    const report = reportAggregate(id);
    const [first, loaded] = await Promise.all([handler.first(report), handler.load(report)]);
    const isOwn =
      first && loaded && (await ownsReport(caller.actor.id, first, loaded.state, this.#deps));
    if (!isOwn) throw notFound();
  }
}
