import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { given } from "#contracts/given.ts";
import {
  type OwnResolution,
  RESOLUTION_COMMANDS,
  type RequestResolution,
  type ResolutionBody,
  type ResolutionCommandName,
  resolutionCommand,
  type StaffResolutionCommand,
} from "#contracts/http/resolution.ts";
import { fromCents } from "#contracts/report/money.ts";
import { openPage } from "../checkout/checkout.decider.ts";
import type { PageLook } from "../checkout/checkout.service.ts";
import type { StreamDeps } from "../export/opened-stream.ts";
import type { Caller, CommandEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { requireOwnReport } from "../report/own-account.ts";
import type { ReportOutcome } from "../report/report.service.ts";
import type { Side } from "../side.ts";

/** Runs the commands about the RESOLVED banner: those of a report's owner, and those of staff. */
export class ResolutionService extends Service<
  StreamDeps & Pick<Side, "handler" | "reports" | "accounts">
> {
  /** Asks for the banner with a letter. @throws {DomainError} `report_not_found`, `invalid_token`, or the decider's. */
  async request(
    id: string,
    body: RequestResolution,
    envelope: CommandEnvelope,
  ): Promise<ReportOutcome> {
    await requireOwnReport(id, envelope.caller, this.deps);
    return this.deps.reports.execute(id, { type: "RequestResolution", body }, envelope);
  }

  /** Takes a request back that is not paid. @throws {DomainError} as {@link request} does. */
  async withdraw(id: string, requestId: string, envelope: CommandEnvelope): Promise<ReportOutcome> {
    await requireOwnReport(id, envelope.caller, this.deps);
    return this.deps.reports.execute(id, { type: "WithdrawResolution", requestId }, envelope);
  }

  /** Runs a command of staff; all admins are emailed about money. @throws {DomainError} `forbidden` and others. */
  async decide<N extends ResolutionCommandName>(
    id: string,
    name: N,
    body: ResolutionBody<N>,
    envelope: CommandEnvelope,
  ): Promise<ReportOutcome> {
    const { accounts, reports } = this.deps;
    const told = resolutionCommand(name).isPayment ? await accounts.activeAdmins() : [];
    const command = { type: RESOLUTION_COMMANDS[name].type, body } as StaffResolutionCommand;
    return reports.execute(id, { ...command, told }, envelope);
  }

  /** The report, for an owner who waits for its request. No look is recorded, so none of its data may be shown. */
  async state(id: string, caller: Caller): Promise<ReportState> {
    return requireOwnReport(id, caller, this.deps);
  }
}

/**
 * The last request for the RESOLVED banner on a report as its owner sees it; undefined when there was none.
 * @param now RFC 3339. @param takesCards whether the fee can be paid by card.
 * @param look what the payment service says of the last payment page, where it was asked.
 */
export function ownResolution(
  report: ReportState,
  now: string,
  takesCards: boolean,
  look?: PageLook,
): OwnResolution | undefined {
  const { resolution } = report;
  if (!resolution) return undefined;
  const { request_id, stage, amount_cents, currency, refusal } = resolution;
  const fee = { currency, amount: fromCents(amount_cents) };
  const isByCard = stage === "letter_accepted" && takesCards;
  const card = isByCard ? cardOf(report, request_id, now, look) : {};
  return { request_id, stage, fee, ...card, ...given({ refusal }) };
}

function cardOf(
  report: ReportState,
  requestId: string,
  now: string,
  look: PageLook,
): Pick<OwnResolution, "card" | "card_until"> {
  if (look === "on_its_way" || look === "other_amount") return { card: look };
  const open = look === "ended" ? undefined : openPage(report, requestId, now);
  if (open) return { card: "open", card_until: open.expires_at };
  const isKnown = report.checkouts.some(({ request_id }) => request_id === requestId);
  return { card: isKnown ? "expired" : "offered" };
}
