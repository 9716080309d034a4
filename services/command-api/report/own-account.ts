import { DomainError } from "#contracts/domain-error.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import { MODERATION } from "#contracts/http/moderation.ts";
import { RESOLUTION_COMMANDS } from "#contracts/http/resolution.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { blindEmails, type KnownPerson, mayName } from "#search/matching.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { grantChain } from "../account/role-grants.ts";
import { requireOwnSession } from "../account/session-start.ts";
import { readAccount } from "../export/exported-account.ts";
import { type Caller, newEnvelope, systemCaller } from "../kernel/envelope.ts";
import type { CommandHandler, HistoryEntry } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import { reportAggregate } from "./report.aggregate.ts";
import { notFound } from "./report.claim.ts";
import type { ReportCommand } from "./report.commands.ts";
import type { ReportService } from "./report.service.ts";

/** Report commands that staff send. All others come from the reporter or the system. */
const STAFF_COMMANDS: ReadonlySet<string> = new Set([
  ...[MODERATION, RESOLUTION_COMMANDS].flatMap((rows) =>
    Object.values(rows).map(({ type }) => type),
  ),
  ...([
    "PublishEvidence",
    "HideEvidence",
    "DeleteEvidence",
    "TakeDownMaterial",
    "PutMaterialBack",
    "WarnReporter",
    "LiftReporterWarning",
  ] satisfies ReportCommand["type"][]),
]);

export function isStaffCommand({ type }: Pick<ReportCommand, "type">): boolean {
  return STAFF_COMMANDS.has(type);
}

interface Deps {
  readonly handler: Pick<CommandHandler, "first" | "history">;
  readonly blind: BlindIndexer;
}

/** How long a previous name still counts as the account's own. */
const NAMES_MS = 90 * 24 * 3_600_000;

/**
 * Keeps staff away from reports that concern them: reports that their account submitted or claimed, and reports
 * about a person who shares a current or previous confirmed address of the account, or its first and last name
 * now or within the last 90 days. Reports that concern whoever granted their role in the last 24 hours count too.
 */
export class ConflictOfInterest extends Service<Deps> {
  /** @param report the state being decided on; if absent, nothing is refused. @throws {DomainError} `forbidden` */
  async refuse(
    reportId: string,
    report: ReportState | undefined,
    caller: Pick<Caller, "actor" | "now">,
  ): Promise<void> {
    if (!(await this.concerns(reportId, report, caller))) return;
    throw new DomainError("forbidden", OWN_REPORT);
  }

  async concerns(
    reportId: string,
    report: ReportState | undefined,
    { actor, now }: Pick<Caller, "actor" | "now">,
  ): Promise<boolean> {
    if (!report || report.erased || actor.role === "system") return false;
    const { handler } = this.deps;
    const [first, chain] = await Promise.all([
      handler.first(reportAggregate(reportId)),
      grantChain(actor.id, now, handler),
    ]);
    const owners = [report.claimed_by, first?.metadata.actor.id];
    if (owners.some((owner) => owner && chain.has(owner))) return true;
    const { personal, blind } = report;
    if (!personal) return false;
    const { first_name, last_name } = personal;
    const named = { first_name, last_name, blind: blind ?? {} };
    const histories = [...chain.values()];
    return histories.some((history) =>
      this.#people(history, now).some((person) => mayName(named, person)),
    );
  }

  /** The account's current and recent names, with its addresses; empty once it is erased. */
  #people(history: readonly HistoryEntry<AccountState>[], now: string): readonly KnownPerson[] {
    const account = history.at(-1)?.state;
    if (!account?.profile) return [];
    const { formerEmails, confirmed, profile } = account;
    const addresses = [...formerEmails, ...(confirmed ? [profile.email] : [])];
    const emails = blindEmails(addresses, this.deps.blind);
    const since = Date.parse(now) - NAMES_MS;
    return history.flatMap(({ state }, i) => {
      const end = history[i + 1]?.metadata.time;
      const { first_name, last_name } = state.profile ?? {};
      if (end !== undefined && Date.parse(end) < since) return [];
      return [{ first_name: first_name ?? "", last_name: last_name ?? "", emails }];
    });
  }
}

/** Whether the account claimed or submitted the report and still owns it. Deleted and erased ones have no owner. */
export async function ownsReport(
  account: string,
  first: StoredEvent,
  now: ReportState,
  deps: StreamDeps,
): Promise<boolean> {
  if (now.status === "deleted" || !now.reporter || !now.personal) return false;
  if (now.claimed_by === account) return true;
  if (now.disowned || first.metadata.actor.id !== account) return false;
  return first.position > (await readAccount(account, deps)).since;
}

/** Returns the current state of the caller's own report. @throws {DomainError} `report_not_found`, `invalid_token` */
export async function requireOwnReport(
  id: string,
  caller: Caller,
  deps: StreamDeps & { readonly handler: CommandHandler },
): Promise<ReportState> {
  const { handler } = deps;
  await requireOwnSession(handler, caller);
  const report = reportAggregate(id);
  const [first, loaded] = await Promise.all([handler.first(report), handler.load(report)]);
  const isOwn = first && loaded && (await ownsReport(caller.actor.id, first, loaded.state, deps));
  if (!isOwn) throw notFound();
  return loaded.state;
}

/** Events that remove reports from an account, and the cause each records. */
const CAUSES = {
  EmailConfirmed: "session_over",
  EmailChangeUndone: "address_change_undone",
} as const;

interface Acquired {
  readonly reportId: string;
  readonly accountId: string;
  /** Revision of the account before the report became its own. */
  readonly since: number;
  /** Event that would remove the report from the account again. */
  readonly lostBy: keyof typeof CAUSES;
}

/** Compensates if the account was erased or taken over (in its own stream) while it acquired the report. */
export async function compensateForOwner(
  { reportId, accountId, since, lostBy }: Acquired,
  {
    handler,
    reports,
  }: { handler: CommandHandler; reports: Pick<ReportService, "execute" | "disown"> },
  { now }: Caller,
): Promise<void> {
  const account = accountAggregate(accountId);
  if ((await handler.lastRevision(account)) <= since) return;
  const caller = systemCaller(now);
  if ((await handler.load(account))?.state.over === "erased") {
    await reports.execute(reportId, { type: "EraseReporter" }, newEnvelope(caller));
    return;
  }
  const last = await handler.lastOf(account, lostBy);
  const isLater = last !== undefined && last.revision > since;
  if (isLater && (lostBy === "EmailChangeUndone" || last.data.dropped === true))
    await reports.disown(reportId, accountId, CAUSES[lostBy], caller);
}
