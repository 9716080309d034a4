import { describe, expect, it, vi } from "vitest";
import { childEnvironment } from "#local-servers/config.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { buildEnvironment, readLauncherConfig } from "./config.ts";
import { explainFailure } from "./explain-failure.ts";

describe("the launcher's configuration", () => {
  it("works without any variables", () => {
    expect(readLauncherConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      publicUrl: undefined,
      isLoopback: true,
      sampleData: true,
      trustProxyHops: 0,
      variables: { RATE_LIMIT: "on" },
    });
    expect(readLauncherConfig({}).dataDir).toMatch(/\/\.data$/);
  });

  it("reads the variables that are set, and treats empty ones as absent", () => {
    expect(
      readLauncherConfig({
        HOST: "[::1]",
        PORT: " 8080 ",
        PUBLIC_URL: "https://Registry.example/",
        MASTER_KEY: "",
        SAMPLE_DATA: "none",
        RATE_LIMIT: "off",
      }),
    ).toMatchObject({
      host: "::1",
      port: 8080,
      publicUrl: "https://registry.example",
      isLoopback: true,
      sampleData: false,
      variables: { RATE_LIMIT: "off" },
    });
  });

  it("treats blank secrets as absent", () => {
    expect(readLauncherConfig({ MASTER_KEY: "" }).variables.MASTER_KEY).toBeUndefined();
  });

  it("has a connection limit per service only if one is set, and at least the minimum", () => {
    const connections = (value: string) =>
      readLauncherConfig({ DATABASE_CONNECTIONS: value }).variables.DATABASE_CONNECTIONS;
    expect([connections(""), connections("15"), connections("30")]).toEqual([undefined, 15, 30]);
    const sentence = "DATABASE_CONNECTIONS must be a number of connections from 15 to 1000";
    for (const value of ["14", "many"]) expect(() => connections(value)).toThrow(sentence);
  });

  it("treats blank stores as embedded", () => {
    expect(readLauncherConfig({ DATABASE_URL: " " }).variables.DATABASE_URL).toBeUndefined();
  });

  it("loads no samples if others can reach it", () => {
    expect(readLauncherConfig({ HOST: "0.0.0.0" })).toMatchObject({
      isLoopback: false,
      sampleData: false,
    });
  });

  it.each([
    [{ PORT: "65536" }, /^PORT must be/],
    [{ PORT: "-1" }, /^PORT must be/],
    [{ PORT: "3e3" }, /^PORT must be/],
    [{ PUBLIC_URL: "registry.example" }, /^PUBLIC_URL must be/],
    [{ PUBLIC_URL: "ftp://registry.example" }, /^PUBLIC_URL must be/],
    [{ PUBLIC_URL: "https://registry.example/below" }, /^PUBLIC_URL must be/],
    [{ RATE_LIMIT: "no" }, /^RATE_LIMIT must be on or off/],
    [{ RATE_LIMIT: "off", HOST: "::" }, /^RATE_LIMIT=off is for load tests/],
    [{ SAMPLE_DATA: "some" }, /^SAMPLE_DATA must be none/],
    [{ TRUST_PROXY: "true" }, /^TRUST_PROXY must be/],
    [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL must be/],
    [{ DATABASE_URL: "postgres://u:hunter2@db:99999/x" }, /^DATABASE_URL must be a URL whose port/],
    [{ KEYS_URL: "redis://hunter2" }, /^KEYS_URL must be a URL that starts with postgres:\.$/],
    [{ JOBS_URL: "redis://:hunter2%er@jobs" }, /^JOBS_URL must be .* %25\.$/],
    [{ RATE_LIMIT_URL: "redis://" }, /^RATE_LIMIT_URL must be a URL with a host/],
    [{ SMTP_URL: "FILE:///" }, /^SMTP_URL must be a folder's whole path/],
    [{ PUBLIC_URL: "https://." }, /^PUBLIC_URL must be/],
    [{ SUPPORT_EMAIL: "hunter2" }, /^SUPPORT_EMAIL must be an email address\.$/],
    [{ PRODUCT_NAME: "a\nb" }, /^PRODUCT_NAME must be one line/],
    [{ ADMIN_EMAIL: "hunter2" }, /^ADMIN_EMAIL must be an email address\.$/],
    [{ ADMIN_PASSWORD: "hunter2" }, /^ADMIN_PASSWORD must have 12 to 200 characters\.$/],
  ])("rejects %o with one sentence that names the variable", (environment, sentence) => {
    const read = () => readLauncherConfig(environment);
    expect(read).toThrow(Refusal);
    expect(read).toThrow(sentence);
    expect(read).toThrow(/^[^\n]+\.$/);
    expect(read).not.toThrow(/hunter2/);
  });
});

describe("why the registry failed", () => {
  it("is one sentence if the cause is known", () => {
    expect(explainFailure(new Refusal("Port 1 is taken."))).toBe("Port 1 is taken.");
    const named = (name: string) => Object.assign(new Error("the cause"), { name });
    expect(explainFailure(named("WrongMasterKey"))).toBe("The data cannot be opened: the cause.");
    expect(explainFailure(named("SchemaMismatch"))).toMatch(/^The database was written by a newer/);
  });

  it("is the first error, not one from the cleanup after it", () => {
    const first = new Refusal("The disk is full.");
    expect(explainFailure(new SuppressedError(new Error("clean-up"), first))).toBe(first.message);
  });

  it("repeats no user input", () => {
    const error = Object.assign(new SyntaxError('Unexpected token in "canary@example.net"'));
    expect(explainFailure(error)).toMatch(/^The registry failed: SyntaxError/);
    expect(explainFailure(error)).not.toContain("canary");
  });
});

it("hides secrets from child processes", () => {
  const secrets = ["MASTER_KEY", "MASTER_KEY_FILE", "ADMIN_PASSWORD", "DATABASE_URL", "SMTP_URL"];
  for (const name of secrets) vi.stubEnv(name, "hidden");
  vi.stubEnv("PATH", "/where/programs/are");
  for (const environment of [childEnvironment(), buildEnvironment()]) {
    expect(Object.values(environment)).not.toContain("hidden");
    expect(environment.PATH).toBe("/where/programs/are");
  }
});
