import { expect, it } from "vitest";
import { readLauncherConfig } from "./config.ts";
import type { Instance } from "./instance.ts";
import {
  commandApiConfig,
  mailerConfig,
  projectorConfig,
  queryApiConfig,
} from "./service-configs.ts";

/** An instance with only what the configurations need. */
function instanceOf(environment: Record<string, string>): Instance {
  return {
    config: readLauncherConfig(environment),
    stores: {},
    paths: { mail: "/mails", files: "/files" },
  } as unknown as Instance;
}

it.each([
  ["as many as are said", "11", [11, 11, 11, 11]],
  ["as many as it takes by itself when nothing is said", "", [10, 10, 14, 8]],
])("gives each service connections: %s", (_title, DATABASE_CONNECTIONS, expected) => {
  const instance = instanceOf({ DATABASE_CONNECTIONS });
  const configs = [commandApiConfig, queryApiConfig, projectorConfig, mailerConfig];
  expect(configs.map((configOf) => configOf(instance).connections)).toEqual(expected);
});

it("gives the services what separate processes would read", () => {
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
  expect(commandApiConfig(instance).filesUrl).toBe("file:///files");
  expect(commandApiConfig(instanceOf({ FILES_URL: "s3://k:s@h/bucket" })).filesUrl).toBe(
    "s3://k:s@h/bucket",
  );
  expect(mailerConfig(instance)).toMatchObject({
    productName: "The Registry",
    smtpUrl: "file:///mails",
  });
});
