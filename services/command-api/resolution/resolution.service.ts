import type { ReportState } from "#contracts/events/report/report-fold.ts";
import {
  RESOLUTION_COMMANDS,
  type RequestResolution,
  type ResolutionBody,
  type ResolutionCommandName,
  resolutionCommand,
  type StaffResolutionCommand,
} from "#contracts/http/resolution.ts";
import type { AccountStore } from "../account/account.store.ts";
import type { StreamDeps } from "../export/opened-stream.ts";
import type { Caller, CommandEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { ReportOutcome, ReportService } from "../report/report.service.ts";
import { requireOwnReport } from "../report/require-own-report.ts";

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
    await requireOwnReport(id, envelope.caller, this.#deps);
    return this.#deps.reports.execute(id, { type: "RequestResolution", body }, envelope);
  }

  /** Takes a request back that is not paid. @throws {DomainError} as {@link request} does. */
  async withdraw(id: string, requestId: string, envelope: CommandEnvelope): Promise<ReportOutcome> {
    await requireOwnReport(id, envelope.caller, this.#deps);
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

  /**
   * The report, for an owner who waits for what becomes of the request. The log notes no look, so nothing of
   * what the report says may be shown.
   * @throws {DomainError} as {@link request} does.
   */
  async state(id: string, caller: Caller): Promise<ReportState> {
    return requireOwnReport(id, caller, this.#deps);
  }
}
