import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { DEFAULT_SETTINGS } from "#contracts/settings/catalogue.ts";
import type { EventStore } from "#event-store/port.ts";
import { createOneTimeLinks } from "#vault/links/one-time-link.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { Challenged } from "../account/second-step.ts";
import type { Session } from "../account/session-start.ts";
import { BackgroundWork } from "../kernel/background-work.ts";
import type { Caller } from "../kernel/envelope.ts";
import { CommandHandler } from "../kernel/handler.ts";
import { DeletionQuota } from "../report/deletion-quota.ts";
import { openAccounts as openServices } from "../write-side.ts";
import type { Fixture } from "./command-api.fixture.ts";

/** A visitor in a browser. */
export const browser = (now: Date | string, ip = "203.0.113.7", agent = "Firefox"): Caller => ({
  actor: { id: "visitor", role: "visitor" },
  client: { ip, user_agent: agent },
  origin: "live",
  correlationId: randomUUID(),
  now: new Date(now).toISOString(),
});

/** Asserts that a sign-in needed no second step. */
export function signedIn(answer: Session | Challenged): Session {
  if ("challenge" in answer) throw new Error("a code is asked for");
  return answer;
}

/** Opens another process's services on the fixture's database, with stores that a test can break. */
export async function openAccounts(
  { api, db }: Fixture,
  broken: { store?: EventStore; pool?: Pool } = {},
) {
  const { keys } = api;
  const store = broken.store ?? api.store;
  const handler = new CommandHandler({ store, keys, codec: registryCodec });
  const opened = openServices({
    ...api,
    handler,
    pool: broken.pool ?? db,
    links: createOneTimeLinks(await keys.liveKey("links")),
    hidings: { record: async () => undefined },
    quota: new DeletionQuota(db),
    background: new BackgroundWork(() => undefined),
    limits: "off",
    issuer: "Registry",
    supportEmail: () => "support@registry.example",
    keptDays: api.kept,
    staffIdleMinutes: () => DEFAULT_SETTINGS.sessionTimeout,
  });
  return { ...opened, handler };
}

/** Returns the store with some of its methods replaced. */
export function withMethods(store: EventStore, methods: Partial<EventStore>): EventStore {
  return new Proxy(store, {
    get(target, name) {
      const method = methods[name as keyof EventStore] ?? target[name as keyof EventStore];
      return typeof method === "function" ? method.bind(target) : method;
    },
  });
}
