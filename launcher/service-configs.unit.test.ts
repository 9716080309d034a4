import { expect, it } from "vitest";
import { readLauncherConfig } from "./config.ts";
import type { Instance } from "./instance.ts";
import {
  commandApiConfig,
  mailerConfig,
  projectorConfig,
  queryApiConfig,
} from "./service-configs.ts";

it.each([
  ["says how many connections it may open", "11", 11],
  ["leaves that to each when nothing is said", "", undefined],
])("tells every service the same: %s", (_title, DATABASE_CONNECTIONS, expected) => {
  const instance = {
    config: readLauncherConfig({ DATABASE_CONNECTIONS }),
    stores: {},
    paths: { mail: "/mails" },
  } as unknown as Instance;
  for (const configOf of [commandApiConfig, queryApiConfig, projectorConfig, mailerConfig])
    expect(configOf(instance).connections).toBe(expected);
});
