import type { UnsubscribeScope } from "#contracts/mail/unsubscribe.ts";
import type { UnsubscribeLinks } from "#vault/links/unsubscribe-link.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { reportAggregate } from "../report/report.aggregate.ts";
import { linkInvalid } from "../report/report.decider.ts";
import type { ReportService } from "../report/report.service.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly reports: Pick<ReportService, "execute">;
  readonly unsubscribing: UnsubscribeLinks;
}

/** Switches mails off and on by the links that they hold. */
export class UnsubscribeService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Does nothing where the report or account is over, or has another address by now: no such mails go
   * to the address then.
   * @param wanted false: no such mails any more.
   * @param envelope by the id of the report or account.
   * @throws {DomainError} `link_invalid`
   */
  async set(
    token: string,
    wanted: boolean,
    envelope: (id: string) => CommandEnvelope,
    now: string,
  ): Promise<UnsubscribeScope> {
    const { handler, reports, unsubscribing } = this.#deps;
    const link = unsubscribing.readToken(token, now);
    if (!link) throw linkInvalid();
    const { scope, id } = link;
    if (scope === "report") {
      const report = (await handler.load(reportAggregate(id)))?.state;
      const email = report?.reporter?.reporter_email;
      if (email === undefined || !link.isFor(email)) return scope;
      const command = { type: "SetReporterNotifications", email, decisions: wanted } as const;
      await reports.execute(id, command, envelope(id));
      return scope;
    }
    const account = accountAggregate(id);
    const email = (await handler.load(account))?.state.profile?.email;
    if (email === undefined || !link.isFor(email)) return scope;
    const command = { type: "SetNotifications", email, set: { [scope]: wanted } } as const;
    await handler.execute(account, command, envelope(id));
    return scope;
  }
}
