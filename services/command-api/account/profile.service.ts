import type { Notifications } from "#contracts/events/user/account-state.ts";
import type { EditProfile, User } from "#contracts/http/account.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Caller } from "../kernel/envelope.ts";
import { type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { sessionOver } from "./account.decider.ts";
import { toUser } from "./account.store.ts";
import { ownSession } from "./session-start.ts";

/** Changes to an account by its owner that affect no credentials. */
export class ProfileService extends Service<
  Pick<Dependencies, "handler" | "accounts" | "credentials">
> {
  /** @returns no position if nothing changed. @throws {DomainError} `invalid_token` */
  async edit(
    edit: EditProfile,
    envelope: CommandEnvelope,
  ): Promise<{ user: User; position: string | undefined }> {
    const { accounts, credentials, handler } = this.deps;
    const { caller } = envelope;
    const own = await ownSession(handler, caller);
    const accountId = caller.actor.id;
    const command = { type: "EditProfile", own, edit } as const;
    const outcome = await credentials.make(command, { accountId }, caller, envelope);
    const account = await accounts.byId(accountId);
    const loaded = outcome ?? (await handler.load(accountAggregate(accountId)));
    const profile = loaded?.state?.profile;
    if (!account || !profile) throw sessionOver();
    return { user: toUser(account, profile.email, profile), position: outcome?.position };
  }

  /** @throws {DomainError} `invalid_token` */
  async setNotifications(
    set: Partial<Notifications>,
    envelope: CommandEnvelope,
  ): Promise<{ preferences: Notifications; position: string }> {
    const { handler } = this.deps;
    const own = await ownSession(handler, envelope.caller);
    const account = accountAggregate(envelope.caller.actor.id);
    const command = { type: "SetNotifications", own, set } as const;
    const { state, position } = await handler.execute(account, command, envelope);
    if (!state) throw sessionOver();
    return { preferences: state.notifications, position };
  }

  /**
   * Sends another link unless enough are valid.
   * @returns the event's position.
   * @throws {DomainError} `invalid_token`
   */
  async requestConfirmation(caller: Caller): Promise<string> {
    const { handler } = this.deps;
    const own = await ownSession(handler, caller);
    const command = { type: "RequestEmailConfirmation", own } as const;
    const account = accountAggregate(caller.actor.id);
    return (await handler.execute(account, command, newEnvelope(caller))).position;
  }
}
