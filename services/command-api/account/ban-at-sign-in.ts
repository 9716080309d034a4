import { DomainError } from "#contracts/domain-error.ts";
import type { Ban } from "#contracts/events/user/account-state.ts";
import { formatUtcMoment } from "#contracts/format-dates.ts";
import type { Caller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { StandingService } from "./standing.service.ts";

/** What a banned account meets that signs in with the right password. */
export class BanAtSignIn {
  readonly #deps: {
    readonly handler: CommandHandler;
    readonly standings: Pick<StandingService, "endBan">;
    /** Whom to write to, now. */
    readonly supportEmail: () => string;
  };

  constructor(deps: {
    handler: CommandHandler;
    standings: Pick<StandingService, "endBan">;
    supportEmail: () => string;
  }) {
    this.#deps = deps;
  }

  /**
   * Lifts a ban whose time is over, so that nobody waits for housekeeping.
   * @returns why nobody signs in; undefined where the ban is over, or the log holds none.
   */
  async refusal(id: string, { now }: Caller): Promise<DomainError | undefined> {
    const { handler, standings, supportEmail } = this.#deps;
    const ban = (await handler.load(accountAggregate(id)))?.state.banned;
    if (!ban) return undefined;
    if (ban.until !== undefined && ban.until <= now) {
      await standings.endBan(id, Date.parse(now));
      return undefined;
    }
    return new DomainError("account_banned", sentenceOf(ban, supportEmail()));
  }
}

function sentenceOf(ban: Ban, supportEmail: string): string {
  const until = ban.until ? ` until ${formatUtcMoment(new Date(ban.until))} UTC` : "";
  const reason = ban.reason ? ` Reason: ${ban.reason}${/[.!?]$/.test(ban.reason) ? "" : "."}` : "";
  return `Your account is banned${until}.${reason} If you think this is a mistake, write to ${supportEmail}.`;
}
