import { randomUUID } from "node:crypto";
import { type UserStatus, userStatus } from "#contracts/account/account-messages.ts";
import { DomainError } from "#contracts/domain-error.ts";
import type { AccountProfile, AccountState } from "#contracts/events/user/account-state.ts";
import type { EditProfile, Role } from "#contracts/http/account.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { accountAccess } from "../access/access.aggregate.ts";
import type { Dependencies } from "../dependencies.ts";
import { type CommandEnvelope, systemCaller } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { reporterBlindIndexes } from "../report/report.blind.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { Account } from "./account.store.ts";
import type { AccountModerationCommand } from "./account-moderation.decider.ts";
import type { CredentialChange } from "./credential.store.ts";
import { othersRegister } from "./registration.service.ts";
import { grantChain } from "./role-grants.ts";
import { accountNotFound } from "./two-factor.decider.ts";

/** Maximum number of attempts at an invitation while others register the same address. */
const TRIES = 5;
const PAGE = 500;

/** An account's status after a decision. */
export interface ModeratedAccount {
  readonly id: string;
  readonly status: UserStatus;
  readonly role: Role;
  /** Revision of the last event that changed what staff see; see `CHANGES_FACTS`. */
  readonly revision: number;
  /** Position of the command's last event; absent if nothing changed. */
  readonly position: string | undefined;
}

export interface Invited {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone?: string | undefined;
  readonly company?: string | undefined;
  readonly role: Role;
}

/** A ban by staff, or by a rule that staff apply. */
export interface NewBan {
  readonly reason: string;
  /** RFC 3339; absent for a permanent ban. */
  readonly until?: string | undefined;
  readonly reasonCode?: string | undefined;
}

type Change = Omit<CredentialChange, "accountId">;

/**
 * Carries out decisions by staff about accounts. Each method returns the account's new status.
 * @throws {DomainError} `account_not_found`, `account_closed`; `account_changed` if `seen` is no longer the
 *   account's `factsRevision`; `own_account`, `last_admin`, `account_unconfirmed`.
 */
export class AccountModerationService extends Service<
  Pick<Dependencies, "handler" | "accounts" | "claims" | "credentials" | "blind" | "quota">
> {
  /**
   * Adds an account, replacing an unconfirmed one, and sends its owner a link.
   * @throws {DomainError} `email_taken`
   */
  async invite(invited: Invited, envelope: CommandEnvelope): Promise<ModeratedAccount> {
    const { accounts, credentials, claims, blind: index } = this.deps;
    const { email, first_name, last_name, phone, company, role } = invited;
    const { caller } = envelope;
    const blind = reporterBlindIndexes(email, index) as { email: string };
    const account = { email, first_name, last_name, ...omitUndefined({ phone, company }), blind };
    const admins = await accounts.activeAdmins();
    const command = { type: "InviteAccount", role, account, admins } as const;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const found = await credentials.byEmail(email);
      const repeated = found && (await this.#repeated(found, command, envelope));
      if (repeated) return repeated;
      const claimed = await claims.claim(found, email, caller);
      if (claimed === "owned") throw emailTaken();
      if (!claimed) continue;
      // Without a password, no one can sign in.
      const outcome = await credentials.make(command, claimed.change, caller, envelope);
      await claimed.bury();
      if (outcome) return moderatedAccount(claimed.change.accountId, outcome);
    }
    throw othersRegister();
  }

  /** Bans the account and ends all its sessions. No one can sign in until the ban expires or is lifted. */
  async ban(
    id: string,
    ban: NewBan,
    envelope: CommandEnvelope,
    seen?: number,
  ): Promise<ModeratedAccount> {
    const decided = await this.#decided(id, envelope, seen);
    const { reason, until, reasonCode } = ban;
    const command = { type: "BanAccount", ...decided, reason, until, reasonCode } as const;
    return this.#make(command, unseating(id, envelope), envelope);
  }

  /** Lifts a ban. An unconfirmed account stays unconfirmed. */
  async unban(id: string, envelope: CommandEnvelope, seen?: number): Promise<ModeratedAccount> {
    const decided = await this.#decided(id, envelope, seen);
    return this.#make({ type: "UnbanAccount", ...decided }, {}, envelope);
  }

  async changeRole(
    id: string,
    role: Role,
    envelope: CommandEnvelope,
    seen?: number,
  ): Promise<ModeratedAccount> {
    const decided = await this.#decided(id, envelope, seen);
    const command = { type: "ChangeAccountRole", ...decided, role } as const;
    return this.#make(command, roleChange(id, role, envelope), envelope);
  }

  /** Changes names, phone and role. The rest of the profile stays; a new role ends all sessions. */
  async edit(
    id: string,
    { role: wanted, ...edit }: EditProfile & { readonly role?: Role | undefined },
    envelope: CommandEnvelope,
    seen?: number,
  ): Promise<ModeratedAccount> {
    const account = await this.deps.accounts.byId(id);
    const role = wanted === account?.role ? undefined : wanted;
    const decided = await this.#decided(id, envelope, seen);
    const change = role ? roleChange(id, role, envelope) : {};
    return this.#make({ type: "EditAccount", ...decided, edit, role }, change, envelope);
  }

  /** Closes the account permanently. A staff account is kept; any other is erased within two hours. */
  async remove(id: string, envelope: CommandEnvelope, seen?: number): Promise<ModeratedAccount> {
    const { actor, now } = envelope.caller;
    const by = adminOf(actor);
    if (by) await this.deps.quota.require(by, id, now);
    const decided = await this.#decided(id, envelope, seen);
    return this.#make({ type: "DeleteAccount", ...decided }, unseating(id, envelope), envelope);
  }

  /** Reopens a kept account, without a staff role or sessions. A ban stays. */
  async reopen(id: string, envelope: CommandEnvelope, seen?: number): Promise<ModeratedAccount> {
    const decided = await this.#decided(id, envelope, seen);
    return this.#make({ type: "ReopenAccount", ...decided }, {}, envelope);
  }

  /** Returns an account's profile, after logging that. Repeated calls are logged too, since each shows the data. */
  async reveal(
    id: string,
    envelope: CommandEnvelope,
  ): Promise<{ readonly profile: AccountProfile; readonly position: string }> {
    const { handler } = this.deps;
    const { state: account, revision = 0 } = (await handler.load(accountAggregate(id))) ?? {};
    const command = { type: "RevealAccount", accountId: id, account, revision } as const;
    const access = accountAccess(randomUUID(), id);
    const { position } = await handler.execute(access, command, envelope, { creates: true });
    if (!account?.profile) throw accountNotFound();
    return { profile: account.profile, position };
  }

  async endDue(nowMs: number): Promise<void> {
    const { accounts } = this.deps;
    let page: readonly string[];
    do {
      page = await accounts.expiredBans(new Date(nowMs), PAGE);
      let ended = 0;
      for (const id of page) if (await this.endBan(id, nowMs)) ended += 1;
      // Accounts changed concurrently are retried in the next sweep.
      if (ended === 0) return;
    } while (page.length === PAGE);
  }

  /** Lifts a ban if it has expired. @returns whether it did. */
  async endBan(id: string, nowMs: number): Promise<boolean> {
    const { accounts, credentials } = this.deps;
    const caller = systemCaller(new Date(nowMs).toISOString());
    const command = { type: "EndBan", admins: await accounts.activeAdmins() } as const;
    return (await credentials.make(command, { accountId: id }, caller)) !== undefined;
  }

  /** Fields of every decision: who decides, about whom, which revision they saw, and the admins to notify. */
  async #decided(ownerId: string, { caller }: CommandEnvelope, seen: number | undefined) {
    const by = adminOf(caller.actor);
    const chain = by ? await grantChain(by, caller.now, this.deps.handler) : new Map();
    const admins = await this.deps.accounts.activeAdmins();
    return { ownerId, by: [...chain.keys()], seen, admins };
  }

  async #make(
    command: Extract<AccountModerationCommand, { ownerId: string }>,
    change: Change,
    envelope: CommandEnvelope,
  ): Promise<ModeratedAccount> {
    const { credentials, handler } = this.deps;
    const { ownerId: id } = command;
    const made = { ...change, accountId: id };
    const outcome = await credentials.make(command, made, envelope.caller, envelope);
    if (outcome) return moderatedAccount(id, outcome);
    // Nothing changed, or there is no such account.
    const loaded = await handler.load(accountAggregate(id));
    if (!loaded?.state.profile) throw accountNotFound();
    return moderatedAccount(id, { ...loaded, position: undefined });
  }

  /** Returns the account if the same invitation is sent again. */
  async #repeated(
    found: Account,
    command: AccountModerationCommand,
    envelope: CommandEnvelope,
  ): Promise<ModeratedAccount | undefined> {
    const { handler } = this.deps;
    const account = accountAggregate(found.id);
    if (!(await handler.isRepeat(account.stream, envelope))) return undefined;
    return moderatedAccount(found.id, await handler.execute(account, command, envelope));
  }
}

function roleChange(id: string, role: Role, envelope: CommandEnvelope): Change {
  return role === "admin" ? {} : unseating(id, envelope);
}

/** Own accounts are left to the decider, which refuses them no matter who remains. */
function unseating(id: string, { caller }: CommandEnvelope): Pick<Change, "unseats"> {
  const by = adminOf(caller.actor);
  return by === id ? {} : { unseats: { by } };
}

function adminOf({ id, role }: { readonly id: string; readonly role: string }) {
  return role === "admin" ? id : undefined;
}

function moderatedAccount(
  id: string,
  {
    state,
    position,
  }: { readonly state: AccountState | undefined; readonly position: string | undefined },
): ModeratedAccount {
  if (!state) throw accountNotFound();
  const { role, factsRevision: revision } = state;
  return { id, status: userStatus(state), role, revision, position };
}

function emailTaken(): DomainError {
  const sentence = "An account with this address already exists.";
  return new DomainError("email_taken", sentence, { email: sentence });
}
