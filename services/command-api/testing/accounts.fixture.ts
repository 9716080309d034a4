import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { DEFAULT_SETTINGS } from "#contracts/settings/catalogue.ts";
import type { EventStore } from "#event-store/port.ts";
import { createOneTimeLinks } from "#vault/links/one-time-link.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { AccountEraser } from "../account/account.eraser.ts";
import { AccountService } from "../account/account.service.ts";
import { AccountStore } from "../account/account.store.ts";
import { AddressClaims } from "../account/address-claims.ts";
import { BanAtSignIn } from "../account/ban-at-sign-in.ts";
import { ClosingService } from "../account/closing.service.ts";
import { CredentialStore } from "../account/credential.store.ts";
import { Credentials } from "../account/credentials.ts";
import { DeviceStore } from "../account/device.store.ts";
import { FactorCodes } from "../account/factor-codes.ts";
import { FactorResetService } from "../account/factor-reset.service.ts";
import { PasswordGuesses } from "../account/password-guesses.ts";
import { PasswordProof } from "../account/password-proof.ts";
import { PasswordStrength } from "../account/password-strength.ts";
import { SecondFactorStore } from "../account/second-factor.store.ts";
import { type Challenged, SecondStep } from "../account/second-step.ts";
import { SessionService } from "../account/session.service.ts";
import { SessionStore } from "../account/session.store.ts";
import { type Session, SessionStart } from "../account/session-start.ts";
import { SignInChallengeStore } from "../account/sign-in-challenge.store.ts";
import { SignInLinks } from "../account/sign-in-links.ts";
import { StandingService } from "../account/standing.service.ts";
import { BackgroundWork } from "../kernel/background-work.ts";
import type { Caller } from "../kernel/envelope.ts";
import { CommandHandler } from "../kernel/handler.ts";
import { DeletionQuota } from "../report/deletion-quota.ts";
import type { Fixture } from "./command-api.fixture.ts";

/** A visitor's browser. */
export const browser = (now: Date | string, ip = "203.0.113.7", agent = "Firefox"): Caller => ({
  actor: { id: "visitor", role: "visitor" },
  client: { ip, user_agent: agent },
  origin: "live",
  correlationId: randomUUID(),
  now: new Date(now).toISOString(),
});

/** What a sign-in gave without a second step. */
export function signedIn(answer: Session | Challenged): Session {
  if ("challenge" in answer) throw new Error("a code is asked for");
  return answer;
}

/** The services of another process on the fixture's database, with stores that a test can break. */
export async function openAccounts(
  { api, db }: Fixture,
  broken: { store?: EventStore; pool?: Pool } = {},
) {
  const { keys } = api;
  const store = broken.store ?? api.store;
  const handler = new CommandHandler({ store, keys, codec: registryCodec });
  const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
  const accounts = new AccountStore(db, keys, blind);
  const credentials = new Credentials({
    handler,
    accounts,
    store: new CredentialStore(broken.pool ?? db),
    blind,
    hidings: { record: async () => undefined },
  });
  const eraser = new AccountEraser({ handler, keys, accounts, reports: api.reports });
  const claims = new AddressClaims({ handler, keys, accounts, eraser });
  const devices = new DeviceStore(db);
  const links = createOneTimeLinks(await keys.liveKey("links"));
  const signInLinks = new SignInLinks({ handler, links, devices });
  const sessionStore = new SessionStore(db, () => DEFAULT_SETTINGS.sessionTimeout);
  const background = new BackgroundWork(() => undefined);
  const factors = new SecondFactorStore(db, keys);
  const challenges = new SignInChallengeStore(db, "off");
  const guesses = new PasswordGuesses(db, "off");
  const codes = new FactorCodes({ handler, accounts, challenges, factors, blind });
  const proof = new PasswordProof({ handler, guesses, blind });
  const closing = new ClosingService({ handler, accounts, credentials, eraser, proof, codes });
  const secondStep = new SecondStep({
    handler,
    accounts,
    credentials,
    challenges,
    codes,
    devices,
    links: signInLinks,
    background,
    start: new SessionStart({ handler, accounts, sessions: sessionStore, devices, blind, closing }),
  });
  const standings = new StandingService({
    handler,
    accounts,
    claims,
    credentials,
    blind,
    quota: new DeletionQuota(db),
  });
  const sessions = new SessionService({
    handler,
    accounts,
    sessions: sessionStore,
    devices,
    // Without a limit on sign-ins.
    guesses,
    links: signInLinks,
    background,
    credentials,
    blind,
    secondStep,
    closing,
    bans: new BanAtSignIn({ handler, standings, supportEmail: () => "support@registry.example" }),
  });
  return {
    standings,
    accounts: new AccountService({
      accounts,
      claims,
      credentials,
      blind,
      strength: new PasswordStrength("Registry"),
    }),
    resets: new FactorResetService({ handler, accounts, credentials, codes, factors }),
    sessions,
    secondStep,
    credentials,
    handler,
  };
}

/** The store with some of its methods replaced. */
export function withMethods(store: EventStore, methods: Partial<EventStore>): EventStore {
  return new Proxy(store, {
    get(target, name) {
      const method = methods[name as keyof EventStore] ?? target[name as keyof EventStore];
      return typeof method === "function" ? method.bind(target) : method;
    },
  });
}
