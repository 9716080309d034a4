import { DomainError } from "#contracts/domain-error.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import { MODERATION } from "#contracts/http/moderation.ts";
import { RESOLUTION_COMMANDS } from "#contracts/http/resolution.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { blindEmails, type KnownPerson, mayName } from "#search/matching.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { grantChain } from "../account/role-grants.ts";
import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler, Past } from "../kernel/handler.ts";
import { reportAggregate } from "./report.aggregate.ts";
import type { ReportCommand } from "./report.commands.ts";

/** The commands that staff send about a report. The others are its reporter's, or the system's. */
const OF_STAFF: ReadonlySet<string> = new Set([
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

/** Whether staff send the command. */
export function isOfStaff({ type }: Pick<ReportCommand, "type">): boolean {
  return OF_STAFF.has(type);
}

interface Deps {
  readonly handler: Pick<CommandHandler, "first" | "history">;
  readonly blind: BlindIndexer;
}

/** How long a name that an account no longer has counts as its own. */
const NAMES_MS = 90 * 24 * 3_600_000;

/**
 * Keeps staff from reports that concern themselves: those that their account submitted or claimed, and those
 * about a person who has an address that is or was the account's confirmed one, or a first and last name that it
 * has or had within 90 days. What concerns those who gave them their role within 24 hours concerns them as well.
 */
export class OwnAccount {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @param report as it is decided about; nothing is refused where there is none any more.
   * @throws {DomainError} `forbidden`, with the same sentence whatever the reason.
   */
  async refuse(reportId: string, report: ReportState | undefined, caller: Caller): Promise<void> {
    if (!(await this.concerns(reportId, report, caller))) return;
    throw new DomainError("forbidden", OWN_REPORT);
  }

  /** Whether the report concerns the caller's account. */
  async concerns(
    reportId: string,
    report: ReportState | undefined,
    { actor, now }: Pick<Caller, "actor" | "now">,
  ): Promise<boolean> {
    if (!report || report.erased || actor.role === "system") return false;
    const { handler } = this.#deps;
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

  /** Who the account says it is, and lately said; nobody once it is erased. */
  #people(history: readonly Past<AccountState>[], now: string): readonly KnownPerson[] {
    const account = history.at(-1)?.state;
    if (!account?.profile) return [];
    const { formerEmails, confirmed, profile } = account;
    const addresses = [...formerEmails, ...(confirmed ? [profile.email] : [])];
    const emails = blindEmails(addresses, this.#deps.blind);
    const since = Date.parse(now) - NAMES_MS;
    return history.flatMap(({ state }, i) => {
      const end = history[i + 1]?.metadata.time;
      const { first_name, last_name } = state.profile ?? {};
      if (end !== undefined && Date.parse(end) < since) return [];
      return [{ first_name: first_name ?? "", last_name: last_name ?? "", emails }];
    });
  }
}
