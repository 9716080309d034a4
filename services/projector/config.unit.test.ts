import { describe, expect, it } from "vitest";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { readProjectorConfig } from "./config.ts";

describe("the projector's configuration", () => {
  const env = { DATABASE_URL: "postgres://db/x", MASTER_KEY: "ab".repeat(32) };

  it("uses the database for every store that is not named", () => {
    expect(readProjectorConfig(env)).toMatchObject({
      databaseUrl: env.DATABASE_URL,
      eventStoreUrl: env.DATABASE_URL,
      keysUrl: env.DATABASE_URL,
      searchUrl: env.DATABASE_URL,
      port: 3003,
    });
  });

  it("names what is missing or wrong without repeating a secret", () => {
    expect(() => readProjectorConfig({})).toThrow(/DATABASE_URL is missing/);
    const wrong = () => readProjectorConfig({ ...env, MASTER_KEY: "hunter2" });
    expect(wrong).toThrow(ConfigInvalid);
    expect(wrong).not.toThrow(/hunter2/);
  });
});
