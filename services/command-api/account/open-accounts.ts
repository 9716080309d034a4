import type { Pool } from "pg";
import type { KeptDays } from "#contracts/settings/catalogue.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import type { TermsInForce } from "../content/terms-in-force.ts";
import type { BackgroundWork } from "../kernel/background-work.ts";
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
import { SessionService } from "./session.service.ts";
import { SessionStore, type StaffIdleMinutes } from "./session.store.ts";
import { SessionEnds } from "./session-ends.ts";
import { SessionProofs } from "./session-proofs.ts";
import { SessionStart } from "./session-start.ts";
import { SignInChallengeStore } from "./sign-in-challenge.store.ts";
import { SignInLinks } from "./sign-in-links.ts";
import { StandingService } from "./standing.service.ts";
import { TwoFactorService } from "./two-factor.service.ts";

interface Deps {
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
  /** Whom a banned account writes to. */
  /** Whom to write to, now. */
  readonly supportEmail: () => string;
  readonly keptDays: () => KeptDays;
  readonly staffIdleMinutes: StaffIdleMinutes;
  readonly onSignIn?: ((email: string) => Promise<void>) | undefined;
}

/** Everything that accounts, their sessions and their second factors need of the write side. */
export type OpenedAccounts = ReturnType<typeof openAccounts>;

/** Opens the services of accounts over the stores of the write side. */
export function openAccounts(deps: Deps) {
  const { handler, pool, keys, blind, links, reports, terms } = deps;
  const { background, limits, issuer, supportEmail, keptDays, onSignIn } = deps;
  const accountStore = new AccountStore(pool, keys, blind);
  const credentials = new Credentials({
    handler,
    accounts: accountStore,
    store: new CredentialStore(pool),
    blind,
    hidings: deps.hidings,
  });
  const accountEraser = new AccountEraser({ handler, keys, accounts: accountStore, reports });
  const claims = new AddressClaims({
    handler,
    keys,
    accounts: accountStore,
    eraser: accountEraser,
  });
  const strength = new PasswordStrength(issuer);
  const accounts = new AccountService({
    accounts: accountStore,
    claims,
    credentials,
    blind,
    strength,
  });
  const devices = new DeviceStore(pool);
  const signInLinks = new SignInLinks({ handler, links, devices });
  const sessionStore = new SessionStore(pool, deps.staffIdleMinutes);
  const guesses = new PasswordGuesses(pool, limits);
  const factors = new SecondFactorStore(pool, keys);
  const challenges = new SignInChallengeStore(pool, limits);
  const codes = new FactorCodes({ handler, accounts: accountStore, challenges, factors, blind });
  const proof = new PasswordProof({ handler, guesses, blind });
  const closing = new ClosingService({
    handler,
    accounts: accountStore,
    credentials,
    eraser: accountEraser,
    proof,
    codes,
  });
  const start = new SessionStart({
    handler,
    accounts: accountStore,
    sessions: sessionStore,
    devices,
    blind,
    closing,
  });
  const registration = new RegistrationService({
    terms,
    strength,
    handler,
    accounts: accountStore,
    credentials,
    claims,
    eraser: accountEraser,
    start,
    background,
    blind,
    keptDays,
  });
  const confirmations = new EmailConfirmation({
    handler,
    credentials,
    proof,
    eraser: accountEraser,
    links,
  });
  const passwords = new PasswordService({
    handler,
    strength,
    eraser: accountEraser,
    accounts: accountStore,
    credentials,
    devices,
    links,
    proof,
    background,
  });
  const profiles = new ProfileService({ handler, accounts: accountStore, credentials });
  const standings = new StandingService({
    handler,
    accounts: accountStore,
    claims,
    credentials,
    blind,
    quota: deps.quota,
  });
  const twoFactor = new TwoFactorService({
    handler,
    accounts: accountStore,
    credentials,
    factors,
    blind,
    issuer: issuer,
  });
  const factorResets = new FactorResetService({
    handler,
    accounts: accountStore,
    credentials,
    codes,
    factors,
  });
  const secondStep = new SecondStep({
    handler,
    accounts: accountStore,
    credentials,
    challenges,
    codes,
    devices,
    links: signInLinks,
    background,
    start,
    onSignIn: onSignIn,
  });
  const sessions = new SessionService({
    handler,
    accounts: accountStore,
    sessions: sessionStore,
    devices,
    guesses,
    links: signInLinks,
    background,
    credentials,
    blind,
    secondStep,
    closing,
    bans: new BanAtSignIn({ handler, standings, supportEmail }),
    onSignIn: onSignIn,
  });
  return {
    accountStore,
    accountEraser,
    accounts,
    credentials,
    challenges,
    closing,
    codes,
    confirmations,
    emailChanges: new EmailChangeService({
      handler,
      accounts: accountStore,
      credentials,
      claims,
      links,
      eraser: accountEraser,
    }),
    factorResets,
    factors,
    passwords,
    profiles,
    registration,
    secondStep,
    sessionEnds: new SessionEnds({ handler, sessions: sessionStore }),
    sessionProofs: new SessionProofs({
      handler,
      accounts: accountStore,
      sessions: sessionStore,
      passwords: proof,
    }),
    sessions,
    signInLinks,
    standings,
    twoFactor,
  };
}
