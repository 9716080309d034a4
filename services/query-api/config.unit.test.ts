import { expect, it } from "vitest";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { readQueryApiConfig } from "./config.ts";

const DATABASE_URL = "postgres://user:secret@db.example/registry";
const MASTER_KEY = "ab".repeat(32);
const FILES_URL = "file:///var/files";

it("uses the database for every store that is not configured", () => {
  expect(readQueryApiConfig({ DATABASE_URL, MASTER_KEY, FILES_URL })).toMatchObject({
    databaseUrl: DATABASE_URL,
    eventStoreUrl: DATABASE_URL,
    keysUrl: DATABASE_URL,
    searchUrl: DATABASE_URL,
    filesUrl: FILES_URL,
    limits: "on",
    trustProxyHops: 0,
    host: "127.0.0.1",
    port: 3002,
  });
});

it("reads each store, a previous master key, origins and proxies", () => {
  const config = readQueryApiConfig({
    DATABASE_URL,
    SEARCH_URL: "https://search.example",
    KEYS_URL: "postgres://keys.example/k",
    MASTER_KEY: `${"cd".repeat(32)},${MASTER_KEY}`,
    FILES_URL,
    TRUST_PROXY: "2",
    CORS_ORIGINS: "https://a.example https://b.example",
  });
  expect(config).toMatchObject({
    searchUrl: "https://search.example",
    keysUrl: "postgres://keys.example/k",
    eventStoreUrl: DATABASE_URL,
    trustProxyHops: 2,
    corsOrigins: ["https://a.example", "https://b.example"],
  });
  expect(config.masterKeys).toHaveLength(2);
});

it.each([
  [{}, /DATABASE_URL is missing/],
  [{ DATABASE_URL, FILES_URL, MASTER_KEY: "short" }, /MASTER_KEY is not valid/],
  [{ DATABASE_URL, FILES_URL, MASTER_KEY, TRUST_PROXY: "all" }, /TRUST_PROXY/],
  [{ DATABASE_URL, FILES_URL, MASTER_KEY, RATE_LIMIT: "off", HOST: "0.0.0.0" }, /RATE_LIMIT/],
])("rejects %o without repeating a secret", (environment, problem) => {
  const read = () => readQueryApiConfig(environment as Record<string, string>);
  expect(read).toThrow(ConfigInvalid);
  expect(read).toThrow(problem);
  expect(read).not.toThrow(/secret|short/);
});
