import { ACCOUNT_DONE } from "#contracts/account/account-messages.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import { ResetTwoFactor } from "#contracts/http/account.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { done } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { Dependencies } from "../dependencies.ts";
import { commandsOf, dropEmpty } from "../kernel/command-route.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import type { WriteSide } from "../write-side.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { TwoFactorCommand } from "./account.commands.ts";
import { accountNotFound } from "./two-factor.decider.ts";

type By = Extract<TwoFactorCommand, { type: "ResetTwoFactor" }>["by"];

/** Turns off the second factor for owners who lost both their device and their codes. */
export class FactorResetService extends Service<
  Pick<Dependencies, "handler" | "accounts" | "credentials" | "codes" | "factors">
> {
  /**
   * Resets a second factor as an admin, who must enter a code of their own if the owner is another admin. Ends all
   * of the account's sessions.
   * @param said.reason why, and how the admin verified the owner.
   * @returns the position of the event.
   * @throws {DomainError} `account_not_found`, `forbidden`, `two_factor_off`, `second_factor_required`,
   *   `code_required`, `wrong_code`, `too_many_requests`
   */
  async byAdmin(
    id: string,
    { reason, code }: { readonly reason: string; readonly code?: string | undefined },
    envelope: CommandEnvelope,
  ): Promise<string> {
    const { caller } = envelope;
    const by = caller.actor.id === id ? "self" : "admin";
    const { role } = (await this.deps.accounts.byId(id)) ?? {};
    const { codes, handler } = this.deps;
    // On a repeat, the code is already used up.
    if (role === "admin" && by === "admin" && !(await handler.isRepeat(streams.user(id), envelope)))
      await codes.demand(code, caller, { isOptional: false });
    return this.#reset(id, { by, reason }, envelope);
  }

  /**
   * Resets a second factor as the operator.
   * @returns false if it was not on.
   * @throws {DomainError} `account_not_found`
   */
  async byOperator(id: string, caller: Caller): Promise<boolean> {
    try {
      await this.#reset(id, { by: "operator" }, newEnvelope(caller));
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === "two_factor_off") return false;
      throw error;
    }
  }

  async #reset(
    id: string,
    who: { readonly by: By; readonly reason?: string },
    envelope: CommandEnvelope,
  ): Promise<string> {
    const { accounts, credentials, factors, handler } = this.deps;
    if (!(await accounts.byId(id))) throw accountNotFound();
    const admins = await accounts.activeAdmins();
    // The owner gets a separate email.
    const told = admins.filter((admin) => admin !== id);
    const before = await handler.load(accountAggregate(id));
    const command = { type: "ResetTwoFactor", told, ...who } as const;
    const outcome = await credentials.make(command, { accountId: id }, envelope.caller, envelope);
    if (!outcome) throw accountNotFound();
    // A repeat must not drop what its owner has set up since.
    const { codesId } =
      (before && before.revision < outcome.revision && before.state.secondFactor) || {};
    if (codesId) await factors.dropCodes(codesId);
    return outcome.position;
  }
}

/** Registers the route for helping an owner who lost both device and codes. */
export function factorResetRoutes(app: ServiceInstance, { factorResets: resets }: WriteSide): void {
  const command = commandsOf(app, "accounts");
  command("POST", "/prod/api/admin/users/:id/two-factor/reset", {
    roles: ["admin"],
    limit: "write",
    proof: true,
    summary:
      "Turn off an account's two-factor authentication; for an admin, with your own code. Emails all admins",
    params: strict({ id: ReportId }),
    body: ResetTwoFactor,
    reply: DoneReply,
    tidy: [dropEmpty],
    async run(request) {
      const { id } = request.params;
      const { code, reason } = request.body;
      const envelope = request.envelope(id, { reason });
      return done(ACCOUNT_DONE.factorReset, await resets.byAdmin(id, { reason, code }, envelope));
    },
  });
}
