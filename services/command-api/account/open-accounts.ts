import type { Pool } from "pg";
import { DomainError } from "#contracts/domain-error.ts";
import type { KeptDays } from "#contracts/settings/catalogue.ts";
import { messages } from "#http/errors.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import type { TermsInForce } from "../content/terms-in-force.ts";
import type { BackgroundWork } from "../kernel/background-work.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { DeletionQuota } from "../report/deletion-quota.ts";
import type { HidingRecord } from "../report/hiding-record.ts";
import type { ReportService } from "../report/report.service.ts";
import { AccountEraser } from "./account.eraser.ts";
import { AccountService } from "./account.service.ts";
import { AccountStore } from "./account.store.ts";
import { AddressClaims } from "./address-claims.ts";
import { BanAtSignIn } from "./ban-at-sign-in.ts";
import { ClosingService } from "./closing.service.ts";
import { CredentialStore } from "./credential.store.ts";
import { Credentials } from "./credentials.ts";
import { DeviceStore } from "./device.store.ts";
import { EmailChangeService } from "./email-change.service.ts";
import { EmailConfirmation } from "./email-confirmation.ts";
import { FactorCodes } from "./factor-codes.ts";
import { FactorResetService } from "./factor-reset.service.ts";
import { PasswordService } from "./password.service.ts";
import { PasswordGuesses } from "./password-guesses.ts";
import { PasswordProof } from "./password-proof.ts";
import { PasswordStrength } from "./password-strength.ts";
import { ProfileService } from "./profile.service.ts";
import { RegistrationService } from "./registration.service.ts";
import { SecondFactorStore } from "./second-factor.store.ts";
import { SecondStep } from "./second-step.ts";
import { sessionAggregate } from "./session.aggregate.ts";
import { SessionService } from "./session.service.ts";
import { SessionStore, type StaffIdleMinutes } from "./session.store.ts";
import { SessionEnds } from "./session-ends.ts";
import { SessionStart } from "./session-start.ts";
import { SignInChallengeStore } from "./sign-in-challenge.store.ts";
import { SignInLinks } from "./sign-in-links.ts";
import { StandingService } from "./standing.service.ts";
import { TwoFactorService } from "./two-factor.service.ts";

export interface AccountDeps {
  readonly handler: CommandHandler;
  readonly pool: Pool;
  readonly keys: KeyStore;
  readonly blind: BlindIndexer;
  readonly links: OneTimeLinks;
  readonly reports: ReportService;
  readonly quota: Pick<DeletionQuota, "require">;
  readonly hidings: Pick<HidingRecord, "record">;
  readonly terms: TermsInForce;
  readonly background: BackgroundWork;
  readonly limits: "on" | "off";
  /** Whom an authenticator names beside the code. */
  readonly issuer: string;
  /** Whom to write to, now. */
  readonly supportEmail: () => string;
  readonly keptDays: () => KeptDays;
  readonly staffIdleMinutes: StaffIdleMinutes;
  readonly onSignIn?: ((email: string) => Promise<void>) | undefined;
}

/** Opens the services of accounts over the stores of the write side. */
export function openAccounts(deps: AccountDeps) {
  const { pool, keys, blind, links, limits } = deps;
  const accountStore = new AccountStore(pool, keys, blind);
  const stores = {
    ...deps,
    accounts: accountStore,
    devices: new DeviceStore(pool),
    sessions: new SessionStore(pool, deps.staffIdleMinutes),
    guesses: new PasswordGuesses(pool, limits),
    factors: new SecondFactorStore(pool, keys),
    challenges: new SignInChallengeStore(pool, limits),
    strength: new PasswordStrength(deps.issuer),
  };
  const credentials = new Credentials({ ...stores, store: new CredentialStore(pool) });
  const eraser = new AccountEraser(stores);
  const claims = new AddressClaims({ ...stores, eraser });
  const codes = new FactorCodes(stores);
  const proof = new PasswordProof(stores);
  const shared = { ...stores, credentials, eraser, claims, codes, proof };
  const closing = new ClosingService(shared);
  const standings = new StandingService(shared);
  const start = new SessionStart({ ...shared, closing });
  const signInLinks = new SignInLinks({ ...stores, links });
  const secondStep = new SecondStep({ ...shared, links: signInLinks, start });
  return {
    accountStore,
    accountEraser: eraser,
    accounts: new AccountService(shared),
    credentials,
    challenges: stores.challenges,
    closing,
    codes,
    confirmations: new EmailConfirmation(shared),
    emailChanges: new EmailChangeService(shared),
    factorResets: new FactorResetService(shared),
    factors: stores.factors,
    passwords: new PasswordService(shared),
    profiles: new ProfileService(shared),
    registration: new RegistrationService({ ...shared, start }),
    secondStep,
    sessionEnds: new SessionEnds(stores),
    sessionProofs: new SessionProofs({ ...stores, passwords: proof }),
    sessions: new SessionService({
      ...shared,
      links: signInLinks,
      secondStep,
      closing,
      bans: new BanAtSignIn({ ...deps, standings }),
    }),
    signInLinks,
    standings,
    twoFactor: new TwoFactorService(shared),
  };
}

interface Deps {
  readonly handler: CommandHandler;
  readonly accounts: Pick<AccountStore, "byId">;
  readonly sessions: Pick<SessionStore, "prove">;
  readonly passwords: PasswordProof;
}

/** Remembers in which sessions the password was shown again; see `config.proof` of a route. */
class SessionProofs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The log has the proof before it counts.
   * @returns the position of its event.
   * @throws {DomainError} `wrong_password`, `too_many_requests`; `invalid_token` for a session that
   *   is over.
   */
  async prove(password: string, caller: Caller): Promise<string> {
    const { accounts, handler, passwords, sessions } = this.#deps;
    const { id: accountId, sessionId = "" } = caller.actor;
    const account = await accounts.byId(accountId);
    if (!account) throw new DomainError("invalid_token", messages.invalid_token);
    await passwords.check(account, password, caller);
    const session = sessionAggregate(sessionId, accountId);
    const proved = await handler.execute(session, { type: "ProvePassword" }, newEnvelope(caller));
    if (!proved.changed) throw new DomainError("invalid_token", messages.invalid_token);
    await sessions.prove(sessionId, Date.parse(caller.now));
    return proved.position;
  }
}
