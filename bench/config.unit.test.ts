import { describe, expect, it } from "vitest";
import { processEnvironment, readProfiles, storeUrls } from "./config.ts";

const POSTGRES = "postgres://127.0.0.1:1/registry";

describe("the benchmark's profiles", () => {
  it("are only the embedded default when no server is given", () => {
    const profiles = readProfiles({ DATABASE_URL: "postgres://elsewhere", SEARCH_URL: " " });
    expect(profiles).toEqual([{ name: "embedded", servers: {} }]);
  });

  it("include the embedded default and the given server, which replaces only its own store", () => {
    const [embedded, servers] = readProfiles({ EVENT_STORE_URL: "esdb://127.0.0.1:2113" });
    if (!embedded || !servers) throw new Error("there are two profiles");
    expect(storeUrls(embedded, POSTGRES).EVENT_STORE_URL).toBe(POSTGRES);
    expect(storeUrls(servers, POSTGRES)).toEqual({
      EVENT_STORE_URL: "esdb://127.0.0.1:2113",
      DATABASE_URL: POSTGRES,
      SEARCH_URL: POSTGRES,
      JOBS_URL: POSTGRES,
      KEYS_URL: POSTGRES,
    });
  });
});

describe("the environment of a measured process", () => {
  it("holds only what it is given, nothing from the run's own environment", () => {
    const environment = processEnvironment({ PORT: "7" });
    expect(environment.PORT).toBe("7");
    expect(environment.PATH).toBeTruthy();
    expect(Object.keys(environment).filter((name) => /^(VITEST|npm_|.*_URL$)/.test(name))).toEqual(
      [],
    );
  });
});
