import { subjects } from "#contracts/sealed.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { requireOwnSession } from "../account/own-session.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { reportAggregate } from "./report.aggregate.ts";
import { notFound } from "./report.claim.ts";
import type { ReportService } from "./report.service.ts";
import { followOwner } from "./taken-over.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: Pick<KeyStore, "own">;
  readonly reports: Pick<ReportService, "execute" | "disown">;
}

/** Gives accounts the reports that were submitted from their address before they had an account. */
export class ClaimService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Only the log decides. The key of the reporter is listed under the account after the event, so that
   * erasing the account erases the reporter; housekeeping repeats it if this process dies in between.
   * @returns the position of the event; claiming again changes nothing.
   * @throws {DomainError} `report_not_found` whatever stands against it; `invalid_token`.
   */
  async claim(id: string, envelope: CommandEnvelope): Promise<string> {
    const { handler, keys, reports } = this.#deps;
    const { caller } = envelope;
    const since = await requireOwnSession(handler, caller);
    const accountId = caller.actor.id;
    const account = (await handler.load(accountAggregate(accountId)))?.state;
    if (!account?.confirmed || account.closed || !account.profile) throw notFound();
    const { email } = account.profile;
    const first = (await handler.first(reportAggregate(id)))?.metadata;
    // Its own are some that it lost when its address was confirmed without its password.
    const isVisitors =
      first?.origin === "live" && (first.actor.role === "visitor" || first.actor.id === accountId);
    const command = { type: "ClaimReport", accountId, email, isVisitors } as const;
    const { position } = await reports.execute(id, command, envelope);
    await keys.own(accountId, [subjects.reporter(id)]);
    const acquired = { reportId: id, accountId, since, takenBy: "EmailChangeUndone" } as const;
    await followOwner(acquired, this.#deps, caller);
    return position;
  }
}
