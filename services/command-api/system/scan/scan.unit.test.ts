import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  certificateCheck,
  configurationChecks,
  openMetricsCheck,
  type ScanCheck,
  type ScannedConfig,
  secretChecks,
} from "./checks.ts";

async function codes(checks: readonly ScanCheck[]): Promise<string[]> {
  const found = await Promise.all(
    checks.map(async ({ code, find }) => ((await find()) === undefined ? [] : [code])),
  );
  return found.flat();
}

describe("the configuration", () => {
  const safe: ScannedConfig = {
    limits: "on",
    staffFactor: () => "on",
    clamavUrl: "tcp://clamd:3310",
    publicUrl: "https://registry.example",
    erasuresUrl: "file:///erasures",
  };
  const found = (more: Partial<ScannedConfig>) => codes(configurationChecks({ ...safe, ...more }));

  it("is fine if nothing is left open", async () => {
    expect(await found({})).toEqual([]);
    expect(await found({ publicUrl: "http://127.0.0.1:3000" })).toEqual([]);
    expect(await found({ publicUrl: undefined })).toEqual([]);
    expect(await found({ corsOrigins: ["https://shop.example", "http://localhost:5173"] })).toEqual(
      [],
    );
  });

  it.each([
    [{ limits: "off" }, "rate_limits"],
    [{ staffFactor: () => "off" }, "staff_second_factor"],
    [{ publicUrl: "http://registry.example" }, "https"],
    [{ publicUrl: "http://127.0.0.1.registry.example" }, "https"],
    [{ corsOrigins: ["http://shop.example"] }, "cors_origins"],
    [{ clamavUrl: undefined }, "virus_scan"],
    [{ erasuresUrl: undefined }, "erasure_ledger"],
  ] as const)("%o is a finding", async (more, code) => {
    expect(await found(more)).toEqual([code]);
  });
});

describe("secrets", () => {
  const RANDOM = randomBytes(32);
  const found = (url: string, key = RANDOM) =>
    codes(secretChecks({ DATABASE_URL: url, RATE_LIMIT_URL: undefined }, [key]));

  it("are fine if they are random, or if there are none", async () => {
    const password = randomBytes(18).toString("base64url");
    expect(await found(`postgres://app:${password}@db.example/registry`)).toEqual([]);
    expect(await found("redis://redis:6379")).toEqual([]);
  });

  it.each(["postgres", "short-one", "change-me", "p%6Fstgres"])(
    "%s is a weak password",
    async (password) => {
      expect(await found(`postgres://app:${password}@db.example/registry`)).toEqual([
        "store_passwords",
      ]);
    },
  );

  it("are weak if they equal the username, which the message does not reveal", async () => {
    const url = "postgres://registry_command_api:registry_command_api@db.example/registry";
    const [check] = secretChecks({ DATABASE_URL: url }, [RANDOM]);
    const words = await check?.find();
    expect(words).toContain("DATABASE_URL");
    expect(words).not.toMatch(/registry_command_api|db\.example/);
  });

  it("are not accepted as a master key if they repeat a few bytes", async () => {
    for (const key of [Buffer.alloc(32), Buffer.from("ab".repeat(16))])
      expect(await found("redis://redis:6379", key)).toEqual(["master_key"]);
  });
});

describe("certificates", () => {
  const DAY_MS = 24 * 3_600_000;
  const NOW = Date.parse("2026-11-23T12:00:00Z");
  const ends = (days: number) => async () => new Date(NOW + days * DAY_MS);
  const found = (url: string | undefined, read: Parameters<typeof certificateCheck>[2]) =>
    certificateCheck({ PUBLIC_URL: url }, () => NOW, read).find();

  it("are reported from three weeks before they expire", async () => {
    const url = "https://registry.example";
    expect(await found(url, ends(21))).toBeUndefined();
    expect(await found(url, ends(20))).toContain("PUBLIC_URL expires in 20 days");
    expect(await found(url, ends(-1))).toContain("has expired");
    const away = () => Promise.reject(new Error("getaddrinfo ENOTFOUND registry.example"));
    const words = await found(url, away);
    expect(words).toContain("couldn't be checked");
    expect(words).not.toContain("registry.example");
  });

  it("are checked only on servers that speak TLS from the first byte", async () => {
    const asked: unknown[] = [];
    const read = async (host: string, port: number) => {
      asked.push([host, port]);
      return new Date(NOW + 90 * DAY_MS);
    };
    for (const url of [
      "https://registry.example",
      "https://[::1]:8443",
      "rediss://redis.example:6380",
      "http://registry.example",
      "postgres://db.example/registry",
      undefined,
    ])
      await found(url, read);
    expect(asked).toEqual([
      ["registry.example", 443],
      ["::1", 8443],
      ["redis.example", 6380],
    ]);
  });
});

it("finds metrics that are open to strangers", async () => {
  const open = (statusCode: number) =>
    codes([openMetricsCheck(() => ({ inject: async () => ({ statusCode }) }) as never)]);
  expect(await open(200)).toEqual(["open_metrics"]);
  expect(await open(404)).toEqual([]);
});
