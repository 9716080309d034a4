import { DomainError } from "#contracts/domain-error.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import type { AccountModerationService } from "../account/account-moderation.service.ts";
import { isClosedToOwner } from "../account/reopening.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { ownsReport } from "../report/own-account.ts";
import { reportAggregate } from "../report/report.aggregate.ts";
import { vouchedBlind } from "../report/report.blind.ts";
import { accountAsInfringer, type Infringer } from "./strike.store.ts";
import { consequenceOf } from "./strike-rules.ts";

/** Reason code in `AccountBanned`: this rule only ends its own bans. */
export const REPEAT_INFRINGER = "repeat_infringer";
const WHY = "Your reports infringed copyright more than once. See section 4 of our DMCA policy.";
/** Attempts for an account that staff are changing concurrently. */
const TRIES = 5;
/** Refusals of a ban. Submissions of such an account are still refused. */
const NOT_BANNABLE: ReadonlySet<string> = new Set([
  "account_not_found",
  "account_closed",
  "last_admin",
  "own_account",
  "forbidden",
]);

/** Warns, suspends and bans repeat infringers, and undoes that when a notice is lifted. Each step is idempotent. */
export class RepeatInfringers extends Service<
  Pick<Dependencies, "handler" | "store" | "keys" | "blind" | "strikes" | "reports"> & {
    readonly accountModeration: Pick<AccountModerationService, "ban" | "unban">;
  }
> {
  /** Counts a notice once per reporter, until none of their reports carries its warning. */
  async warn(noticeId: string, reportIds: readonly string[], caller: Caller): Promise<void> {
    const { strikes } = this.deps;
    const accounts = new Set<string>();
    await strikes.withLock(async (assertHeld) => {
      await strikes.follow();
      for (const id of new Set(reportIds)) {
        await assertHeld();
        const account = await this.#warnOne(noticeId, id, caller);
        if (account !== undefined) accounts.add(account);
      }
    });
    for (const account of accounts) await this.#align(account, caller);
  }

  /** Stops counting the notice for the report, which may have been deleted in the meantime. */
  async lift(noticeId: string, reportId: string, caller: Caller): Promise<void> {
    const { reports, strikes } = this.deps;
    const report = await reports.load(reportId);
    const warning = report?.warnings.find(({ notice_id }) => notice_id === noticeId);
    if (warning) {
      const lift = { type: "LiftReporterWarning", noticeId } as const;
      await reports.execute(reportId, lift, newEnvelope(caller));
      await strikes.follow();
    }
    // Also if it was already lifted: that process may have died before ending the ban.
    const account = warning?.account_id ?? (report && (await this.#accountOf(reportId, report)));
    if (account !== undefined) await this.#align(account, caller);
  }

  /** @returns the account whose ban may change. */
  async #warnOne(noticeId: string, id: string, caller: Caller): Promise<string | undefined> {
    const { reports, strikes, blind: index } = this.deps;
    const report = await reports.load(id);
    if (!report || report.status === "deleted") return undefined;
    const accountId = await this.#accountOf(id, report);
    const person: Infringer = { blind: vouchedBlind(report, index), accountId };
    if (person.blind === undefined && accountId === undefined) return undefined;
    const counted = await strikes.of(person);
    const before = counted.findIndex((strike) => strike.noticeId === noticeId);
    const already = counted[before];
    const strike = already ? before + 1 : counted.length + 1;
    const isCounted = already !== undefined;
    const warn = { type: "WarnReporter", noticeId, strike, accountId, isCounted } as const;
    const consequence = consequenceOf(strike, already?.at ?? caller.now);
    await reports.execute(id, { ...warn, ...consequence }, newEnvelope(caller));
    await strikes.follow();
    return accountId;
  }

  async #accountOf(id: string, report: ReportState): Promise<string | undefined> {
    const { handler, store, keys } = this.deps;
    const first = await handler.first(reportAggregate(id));
    if (!first) return undefined;
    const { id: submitter, role } = first.metadata.actor;
    const isVisitors = role === "visitor" || role === "system";
    const account = report.claimed_by ?? (isVisitors ? undefined : submitter);
    if (account === undefined) return undefined;
    const deps = { store, keys, codec: registryCodec };
    return (await ownsReport(account, first, report, deps)) ? account : undefined;
  }

  /** Bans or unbans the account according to its current infringements. A ban by staff stays unchanged. */
  async #align(accountId: string, caller: Caller, tries = TRIES): Promise<void> {
    const { handler, strikes, accountModeration, blind } = this.deps;
    const account = (await handler.load(accountAggregate(accountId)))?.state;
    if (!account?.profile || isClosedToOwner(account, caller.now)) return;
    const of = accountAsInfringer(accountId, account, blind);
    const wanted = await strikes.suspension(of, caller.now);
    const { banned } = account;
    if (banned && banned.code !== REPEAT_INFRINGER) return;
    if (!wanted && !banned) return;
    if (wanted && banned && wanted.until === banned.until) return;
    const decide = wanted
      ? accountModeration.ban(
          accountId,
          { reason: WHY, until: wanted.until, reasonCode: REPEAT_INFRINGER },
          newEnvelope(caller),
          account.factsRevision,
        )
      : accountModeration.unban(accountId, newEnvelope(caller), account.factsRevision);
    try {
      await decide;
    } catch (error) {
      const code = error instanceof DomainError ? error.code : undefined;
      if (code === "account_changed" && tries > 1) return this.#align(accountId, caller, tries - 1);
      if (code === undefined || !NOT_BANNABLE.has(code)) throw error;
    }
  }
}
