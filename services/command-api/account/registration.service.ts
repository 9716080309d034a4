import { randomUUID } from "node:crypto";
import { EMAIL_TAKEN } from "#contracts/account/account-messages.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { Register } from "#contracts/http/account.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { TERMS_OUTDATED } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import type { KeptDays } from "#contracts/settings/catalogue.ts";
import { VISITOR } from "#http/actor.ts";
import { normaliseEmail } from "#search/matching.ts";
import type { Dependencies } from "../dependencies.ts";
import {
  type Caller,
  type CommandEnvelope,
  newEnvelope,
  systemCaller,
} from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { reporterBlindIndexes } from "../report/report.blind.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { Account, Unconfirmed } from "./account.store.ts";
import { INVITATION_MS } from "./account-moderation.decider.ts";
import type { CredentialChange } from "./credential.store.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import type { Checked, Session, SignToken } from "./session-start.ts";

/** An address that an account can take. */
interface AvailableAddress {
  /** The account that had it. Its row is deleted in the transaction that assigns the address. */
  readonly former?: string;
  readonly ended?: AccountState;
  /** Cleans up after the previous account. */
  bury(): Promise<void>;
}

/** Assigns addresses to accounts that are being added. An unconfirmed address is available. */
export class AddressClaims extends Service<
  Pick<Dependencies, "handler" | "keys" | "accounts" | "eraser">
> {
  /**
   * Claims an address for a new account.
   * @param found the account that has the address now.
   * @returns the change that adds an account with the address; `owned` if it belongs to an account; undefined if
   *   someone else was faster.
   */
  async claim(
    found: Account | undefined,
    email: string,
    caller: Caller,
  ): Promise<(AvailableAddress & { readonly change: CredentialChange }) | "owned" | undefined> {
    const { accounts, keys } = this.deps;
    const free = await this.free(found, email, caller);
    if (!free || free === "owned") return free;
    const accountId = await this.#successor(free.ended);
    await keys.ensure([{ subject: subjects.account(accountId) }]);
    const address = await accounts.stored(accountId, email);
    return { ...free, change: { accountId, adds: true, address, former: free.former } };
  }

  /** Like {@link claim}, for an existing account. The log names no successor, since the change may still fail. */
  async free(
    found: Account | undefined,
    email: string,
    caller: Caller,
  ): Promise<AvailableAddress | "owned" | undefined> {
    const { handler } = this.deps;
    if (!found) return { bury: async () => undefined };
    const { id } = found;
    const loaded = await handler.load(accountAggregate(id));
    // An older log has been restored, without its history.
    if (!loaded) return { former: id, bury: async () => undefined };
    const ended = loaded.state.over ? loaded.state : await this.#replace(id, caller);
    if (!ended) return undefined;
    if (!ended.over) return has(ended, email) ? "owned" : undefined;
    return { former: id, ended, bury: () => this.#bury(id, ended, caller) };
  }

  async #bury(id: string, { over }: AccountState, caller: Caller): Promise<void> {
    const { eraser } = this.deps;
    if (over === "erased") await eraser.finish(id, caller);
    else await eraser.abandon(id, caller.now);
  }

  /** @returns the account if it has ended or has an owner; undefined if it was read too early, or has no key. */
  async #replace(id: string, caller: Caller): Promise<AccountState | undefined> {
    // The next account with this address gets this ID; until then, no account has it.
    const command = { type: "ReplaceAccount", by: randomUUID() } as const;
    const account = accountAggregate(id);
    const { state } = await this.deps.handler.execute(account, command, newEnvelope(caller));
    const { over, confirmed, closed, banned } = state ?? {};
    return over || confirmed || closed || banned ? state : undefined;
  }

  /** The account ID that the log names, so that the previous account's links lead to it. */
  async #successor(ended: AccountState | undefined): Promise<string> {
    const replacedBy = ended?.replacedBy;
    if (!replacedBy) return randomUUID();
    // If it has events, it has already had the address, for example when an older database was restored.
    const revision = await this.deps.handler.lastRevision(accountAggregate(replacedBy));
    return revision < 0 ? replacedBy : randomUUID();
  }
}

/** Whether the address is still the account's: its row may be from an older copy of the database. */
function has({ profile }: AccountState, email: string): boolean {
  return !profile || normaliseEmail(profile.email) === normaliseEmail(email);
}

/** Maximum number of attempts at a registration while others register the same address. */
const TRIES = 5;
const DAY_MS = 24 * 3_600_000;
const EXPIRED = 500;

type Deps = Pick<
  Dependencies,
  | "handler"
  | "accounts"
  | "credentials"
  | "claims"
  | "eraser"
  | "start"
  | "background"
  | "terms"
  | "strength"
  | "blind"
> & {
  /** How long an account keeps an unconfirmed address. */
  readonly keptDays: () => Pick<KeptDays, "unconfirmed_account">;
};

/** An account whose password was proved, and the revision at which it was. */
type Proved = Pick<Checked, "account" | "revision">;

/** Registers accounts. Their addresses belong to no one until they are confirmed. */
export class RegistrationService extends Service<Deps> {
  /** @throws {DomainError} `invalid_request` */
  checkPassword({ password, company_name: company, ...body }: Register): void {
    this.deps.strength.refuse(password, { ...body, company, role: "user" });
  }

  /**
   * Registers an account and signs it in, replacing one with the same unconfirmed address. A repeat with the same
   * Idempotency-Key signs in to the account of the first time.
   * @param sent its actor is dropped, because the history must not name another account that may be erased.
   * @param brought the secrets of the browser's cookie.
   * @throws {DomainError} `terms_outdated`, whatever the address is; `email_taken` for a confirmed address, whose
   *   owner is notified; `unavailable` if too many passwords are waiting.
   */
  async register(
    body: Register,
    sent: CommandEnvelope,
    brought: readonly string[],
    sign: SignToken,
  ): Promise<Session> {
    const { claims, credentials } = this.deps;
    const caller = { ...sent.caller, actor: VISITOR };
    const envelope = { ...sent, caller };
    const terms = await this.#agreedTerms(body);
    // Hashed first, so that it takes just as long for a pending address as for a new one.
    const passwordHash = await hashPassword(body.password, "stranger");
    for (let tries = 0; tries < TRIES; tries += 1) {
      const found = await credentials.byEmail(body.email);
      const repeated = found && (await this.#repeated(found, body, envelope));
      if (repeated) return this.#begin(repeated, caller, brought, sign);
      const claimed = await claims.claim(found, body.email, caller);
      if (found && claimed === "owned") return this.#refuse(found.id, caller);
      if (!claimed || claimed === "owned") continue;
      const change = { ...claimed.change, passwordHash };
      const added = await this.#add(change, body, terms, envelope);
      await claimed.bury();
      if (added) return this.#begin(added, caller, brought, sign);
    }
    throw othersRegister();
  }

  /** The terms in force, to which every registration agrees. */
  async #agreedTerms({ terms_version }: Register): Promise<string> {
    const inForce = await this.deps.terms.termsVersion();
    if (terms_version !== undefined && terms_version !== inForce)
      throw new DomainError("terms_outdated", TERMS_OUTDATED);
    return inForce;
  }

  /** Ends accounts whose address was not confirmed in time, and unused invitations. Their reports stay. */
  async expire(nowMs: number): Promise<void> {
    const { accounts, credentials, eraser, handler } = this.deps;
    const now = new Date(nowMs).toISOString();
    const before = new Date(nowMs - this.deps.keptDays().unconfirmed_account * DAY_MS);
    const invitedBefore = new Date(nowMs - INVITATION_MS);
    let page: readonly Unconfirmed[] = [];
    do {
      page = await accounts.unconfirmedBefore(before, invitedBefore, EXPIRED, page.at(-1));
      for (const { id } of page) {
        // The log may lack a confirmation.
        await credentials.deliver(streams.user(id));
        const command = { type: "ExpireAccount" } as const;
        const envelope = newEnvelope(systemCaller(now));
        const { state } = await handler.execute(accountAggregate(id), command, envelope);
        // Ended by this command or earlier, if a process crashed and left the row.
        if (state?.over && state.over !== "erased") await eraser.abandon(id, now);
      }
    } while (page.length === EXPIRED);
  }

  /** @returns the account as this registration left it; undefined if it is someone else's. */
  async #add(
    change: CredentialChange,
    body: Register,
    termsVersion: string,
    envelope: CommandEnvelope,
  ): Promise<Proved | undefined> {
    const { credentials } = this.deps;
    const { email, first_name, last_name, phone, company_name: company, website } = body;
    const blind = reporterBlindIndexes(email, this.deps.blind) as { email: string };
    const profile = {
      email,
      first_name,
      last_name,
      ...omitUndefined({ phone, company, website }),
      blind,
    };
    const command = { type: "RegisterAccount", account: profile, termsVersion } as const;
    if (!(await credentials.make(command, change, envelope.caller, envelope))) return undefined;
    const { account, revision } = await credentials.at(change.accountId);
    // Hashes are salted: a different one means that the account or its password is someone else's.
    return account && account.passwordHash === change.passwordHash
      ? { account, revision }
      : undefined;
  }

  /** Signs in to an account, provided that it has not changed since its password was proved. */
  async #begin(
    proved: Proved,
    caller: Caller,
    brought: readonly string[],
    sign: SignToken,
  ): Promise<Session> {
    const checked = { ...proved, method: "registration", device: undefined, brought } as const;
    const session = await this.deps.start.begin(checked, caller, sign);
    if (session) return session;
    // Someone has registered the address or opened a link since.
    throw othersRegister();
  }

  /** Returns the account if the same form is sent again. */
  async #repeated(
    found: Account,
    { password }: Register,
    envelope: CommandEnvelope,
  ): Promise<Proved | undefined> {
    const { credentials, handler } = this.deps;
    const { stream } = accountAggregate(found.id);
    if (!(await handler.isRepeat(stream, envelope))) return undefined;
    const { account, revision } = await credentials.at(found.id);
    const isRight = await verifyPassword(account?.passwordHash || undefined, password, "stranger");
    // A password alone never signs in to an account with a second factor.
    return account && isRight && !account.factorId ? { account, revision } : undefined;
  }

  /** Refuses an address that is an account's, and notifies its owner. */
  async #refuse(id: string, caller: Caller): Promise<never> {
    const { background, handler } = this.deps;
    const command = { type: "NoteRegistration" } as const;
    background.run(() => handler.execute(accountAggregate(id), command, newEnvelope(caller)));
    throw new DomainError("email_taken", EMAIL_TAKEN, { email: EMAIL_TAKEN });
  }
}

/** The refusal if someone else is taking the address concurrently. */
export function othersRegister(): DomainError {
  return new DomainError(
    "conflict",
    "This address is being registered right now. Please try again.",
  );
}
