import { randomUUID } from "node:crypto";
import { EMAIL_TAKEN } from "#contracts/account/account-words.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import { given } from "#contracts/given.ts";
import type { Register } from "#contracts/http/account.ts";
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
import type { CredentialChange } from "./credential.store.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import type { Checked, Session, SignToken } from "./session-start.ts";
import { INVITATION_MS } from "./standing.decider.ts";

/** An address that an account may take. */
interface Free {
  /** Whose it was: its row goes in the transaction that gives the address to the next one. */
  readonly former?: string;
  readonly ended?: AccountState;
  /** Does what follows from the end of the former one. */
  bury(): Promise<void>;
}

/** Gives addresses to accounts that are being added. An address that no one confirmed is free. */
export class AddressClaims extends Service<
  Pick<Dependencies, "handler" | "keys" | "accounts" | "eraser">
> {
  /**
   * @param found the account that has the address now.
   * @returns the change that adds an account with the address; `owned` when it is an account's; undefined
   *   when someone else was in between.
   */
  async claim(
    found: Account | undefined,
    email: string,
    caller: Caller,
  ): Promise<(Free & { readonly change: CredentialChange }) | "owned" | undefined> {
    const { accounts, keys } = this.deps;
    const free = await this.free(found, email, caller);
    if (!free || free === "owned") return free;
    const accountId = await this.#successor(free.ended);
    await keys.ensure([{ subject: subjects.account(accountId) }]);
    const address = await accounts.stored(accountId, email);
    return { ...free, change: { accountId, adds: true, address, former: free.former } };
  }

  /** The same for a confirmed address. The log names no successor, since the change may still fail. */
  async free(
    found: Account | undefined,
    email: string,
    caller: Caller,
  ): Promise<Free | "owned" | undefined> {
    const { handler } = this.deps;
    if (!found) return { bury: async () => undefined };
    const { id } = found;
    const loaded = await handler.load(accountAggregate(id));
    // Its history is lost with an older log.
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

  /** @returns the account that is over, or its owner's; undefined when read before its end, or without a key. */
  async #replace(id: string, caller: Caller): Promise<AccountState | undefined> {
    // Anyone who registers the address next gets this id; until then no one has it.
    const command = { type: "ReplaceAccount", by: randomUUID() } as const;
    const account = accountAggregate(id);
    const { state } = await this.deps.handler.execute(account, command, newEnvelope(caller));
    const { over, confirmed, closed, banned } = state ?? {};
    return over || confirmed || closed || banned ? state : undefined;
  }

  /** The account that the log names, so that links of the former one lead to it. */
  async #successor(ended: AccountState | undefined): Promise<string> {
    const replacedBy = ended?.replacedBy;
    if (!replacedBy) return randomUUID();
    // With events it has had the address, e.g. where an older database was restored.
    const revision = await this.deps.handler.lastRevision(accountAggregate(replacedBy));
    return revision < 0 ? replacedBy : randomUUID();
  }
}

/** Whether the address is still the account's: its row may be of an older copy of the database. */
function has({ profile }: AccountState, email: string): boolean {
  return !profile || normaliseEmail(profile.email) === normaliseEmail(email);
}

/** How often an address that others register at the same moment is tried again. */
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
  /** How long an account keeps an address that no one confirmed. */
  readonly keptDays: () => Pick<KeptDays, "unconfirmed_account">;
};

/** An account whose password is the one that was sent, and the revision at which it was. */
type Proved = Pick<Checked, "account" | "revision">;

/** Registering an account. Its address belongs to no one until it is confirmed. */
export class RegistrationService extends Service<Deps> {
  /** @throws {DomainError} `invalid_request` */
  checkPassword({ password, company_name: company, ...body }: Register): void {
    this.deps.strength.refuse(password, { ...body, company, role: "user" });
  }

  /**
   * Registers an account and signs it in; one whose address no one confirmed is replaced. A repeat
   * under the same Idempotency-Key signs in to the account of the first time.
   * @param sent by anyone: the account's history names no other account, which may be erased.
   * @param brought the secrets of the browser's cookie.
   * @throws {DomainError} `terms_outdated`, whatever the address is; `email_taken` for an account's confirmed address, whose owner is told;
   *   `unavailable` when too many passwords wait.
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
    // First, so that it takes as long for an address that waits as for one that is new.
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

  /** The terms in force, to which anyone who registers agrees. */
  async #agreedTerms({ terms_version }: Register): Promise<string> {
    const inForce = await this.deps.terms.termsVersion();
    if (terms_version !== undefined && terms_version !== inForce)
      throw new DomainError("terms_outdated", TERMS_OUTDATED);
    return inForce;
  }

  /** Ends accounts whose address no one confirmed in time, and invitations that no one followed; their reports stay. */
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
        // Over by this, or before: a process that died left the row.
        if (state?.over && state.over !== "erased") await eraser.abandon(id, now);
      }
    } while (page.length === EXPIRED);
  }

  /** @returns the account as this registration left it; undefined when it is someone else's. */
  async #add(
    change: CredentialChange,
    body: Register,
    termsVersion: string,
    envelope: CommandEnvelope,
  ): Promise<Proved | undefined> {
    const { credentials } = this.deps;
    const { email, first_name, last_name, phone, company_name: company, website } = body;
    const blind = reporterBlindIndexes(email, this.deps.blind) as { email: string };
    const profile = { email, first_name, last_name, ...given({ phone, company, website }), blind };
    const command = { type: "RegisterAccount", account: profile, termsVersion } as const;
    if (!(await credentials.make(command, change, envelope.caller, envelope))) return undefined;
    const { account, revision } = await credentials.at(change.accountId);
    // The hash has its own salt: with another one, the account or its password is someone else's.
    return account && account.passwordHash === change.passwordHash
      ? { account, revision }
      : undefined;
  }

  /** Signs in to an account that has not changed since its password was proved. */
  async #begin(
    proved: Proved,
    caller: Caller,
    brought: readonly string[],
    sign: SignToken,
  ): Promise<Session> {
    const checked = { ...proved, method: "registration", device: undefined, brought } as const;
    const session = await this.deps.start.begin(checked, caller, sign);
    if (session) return session;
    // Someone registered the address meanwhile, or opened a link.
    throw othersRegister();
  }

  /** The account, when the same form is sent again: nothing is replaced. */
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
    // A password alone signs in to no account with a second factor.
    return account && isRight && !account.factorId ? { account, revision } : undefined;
  }

  /** The address is an account's: its owner is told, and anyone who asks. */
  async #refuse(id: string, caller: Caller): Promise<never> {
    const { background, handler } = this.deps;
    const command = { type: "NoteRegistration" } as const;
    background.run(() => handler.execute(accountAggregate(id), command, newEnvelope(caller)));
    throw new DomainError("email_taken", EMAIL_TAKEN, { email: EMAIL_TAKEN });
  }
}

/** The refusal where someone else takes the address at the same moment. */
export function othersRegister(): DomainError {
  return new DomainError(
    "conflict",
    "This address is being registered right now. Please try again.",
  );
}
