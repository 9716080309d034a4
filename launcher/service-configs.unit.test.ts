import { expect, it } from "vitest";
import { readLauncherConfig } from "./config.ts";
import type { Instance } from "./instance.ts";
import {
  commandApiConfig,
  mailerConfig,
  projectorConfig,
  queryApiConfig,
} from "./service-configs.ts";

/** An instance with only the parts that the configurations need. */
function instanceOf(environment: Record<string, string>): Instance {
  return {
    config: readLauncherConfig(environment),
    stores: {},
    paths: { mail: "/mails", files: "/files" },
  } as unknown as Instance;
}

it.each([
  ["as many as are said", "15", [15, 15, 15, 15]],
  ["as many as it takes by itself when nothing is said", "", [9, 9, 16, 8]],
])("gives each service connections: %s", (_title, DATABASE_CONNECTIONS, expected) => {
  const instance = instanceOf({ DATABASE_CONNECTIONS });
  const configs = [commandApiConfig, queryApiConfig, projectorConfig, mailerConfig];
  expect(configs.map((configOf) => configOf(instance).connections)).toEqual(expected);
});

it("passes the services the address of the launcher's PostgreSQL, if there is one", () => {
  const own = "postgres://registry@127.0.0.1:5544/registry";
  const theirs = "postgres://registry@db.example/registry";
  const given = { EVENT_STORE_URL: theirs, DATABASE_URL: theirs, JOBS_URL: theirs };
  const hostFor = (environment: Record<string, string>, stores: Record<string, string>) =>
    queryApiConfig({ ...instanceOf(environment), stores } as unknown as Instance).embeddedPostgres;
  expect(hostFor({}, { EVENT_STORE_URL: own })).toBe("127.0.0.1:5544");
  expect(hostFor(given, { KEYS_URL: own })).toBe("127.0.0.1:5544");
  expect(hostFor({ ...given, KEYS_URL: theirs }, { DATABASE_URL: theirs })).toBeUndefined();
});

it("sets for the services what separate processes would read", () => {
  const instance = instanceOf({
    CORS_ORIGINS: "https://shop.example",
    RATE_LIMIT_URL: "redis://counters",
    TRUST_PROXY: "2",
    PRODUCT_NAME: "The Registry",
  });
  for (const configOf of [commandApiConfig, queryApiConfig])
    expect(configOf(instance)).toMatchObject({
      corsOrigins: ["https://shop.example"],
      rateLimitUrl: "redis://counters",
      trustProxyHops: 2,
    });
  const agent = {
    DMCA_AGENT_NAME: "Ann Lee",
    DMCA_AGENT_ADDRESS: "1 Main St, Denver, CO 80202",
    DMCA_AGENT_EMAIL: "dmca@registry.example",
    DMCA_AGENT_PHONE: "+1 303 555 0100",
  };
  for (const configOf of [commandApiConfig, queryApiConfig]) {
    expect(configOf(instance).dmcaAgent).toBeUndefined();
    expect(configOf(instanceOf(agent)).dmcaAgent).toEqual({
      name: "Ann Lee",
      address: "1 Main St, Denver, CO 80202",
      email: "dmca@registry.example",
      phone: "+1 303 555 0100",
    });
    const { DMCA_AGENT_PHONE: _, ...part } = agent;
    expect(() => configOf(instanceOf(part))).toThrow(/set all four, or none/);
  }
  expect(commandApiConfig(instance).filesUrl).toBe("file:///files");
  expect(commandApiConfig(instanceOf({ FILES_URL: "s3://k:s@h/bucket" })).filesUrl).toBe(
    "s3://k:s@h/bucket",
  );
  expect(mailerConfig(instance)).toMatchObject({
    productName: "The Registry",
    smtpUrl: "file:///mails",
  });
});

it("gives only command-api access to Stripe: completely and with a site to return to, or not at all", () => {
  const keys = { STRIPE_SECRET_KEY: "sk_test_abc", STRIPE_WEBHOOK_SECRET: "whsec_abc" };
  const at = { publicUrl: "https://registry.example" };
  const configOf = (environment: Record<string, string>, more: object = at) =>
    commandApiConfig({ ...instanceOf(environment), ...more } as unknown as Instance);
  expect(configOf({}).cards).toBeUndefined();
  expect(configOf(keys).cards).toEqual({
    secretKey: "sk_test_abc",
    webhookSecret: "whsec_abc",
    publicUrl: "https://registry.example",
  });
  expect(JSON.stringify(queryApiConfig(instanceOf(keys)))).not.toContain("abc");
  for (const name of Object.keys(keys))
    expect(() => configOf({ ...keys, [name]: "" })).toThrow(/or neither/);
  expect(() => configOf(keys, {})).toThrow(/PUBLIC_URL is missing/);
  expect(() => instanceOf({ ...keys, STRIPE_SECRET_KEY: "pk_test_abc" })).toThrow(
    /STRIPE_SECRET_KEY must be a secret or restricted key/,
  );
  const elsewhere = { ...keys, STRIPE_API_URL: "http://127.0.0.1:12111" };
  expect(configOf(elsewhere).cards?.apiUrl).toBe("http://127.0.0.1:12111");
  const live = { ...elsewhere, STRIPE_SECRET_KEY: "rk_live_abc" };
  expect(() => configOf(live)).toThrow(/only Stripe may receive/);
});
