import { describe, expect, it } from "vitest";
import { processEnvironment, readProfiles, storeUrls } from "./config.ts";

const POSTGRES = "postgres://127.0.0.1:1/registry";

describe("the benchmark's profiles", () => {
  it("are the embedded default alone where no server is given", () => {
    const profiles = readProfiles({ DATABASE_URL: "postgres://elsewhere", SEARCH_URL: " " });
    expect(profiles).toEqual([{ name: "embedded", servers: {} }]);
  });

  it("are both where one is given, which takes the place of that store alone", () => {
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
  it("holds what it is given, and no setting of the run's own environment", () => {
    const environment = processEnvironment({ PORT: "7" });
    expect(environment.PORT).toBe("7");
    expect(environment.PATH).toBeTruthy();
    expect(Object.keys(environment).filter((name) => /^(VITEST|npm_|.*_URL$)/.test(name))).toEqual(
      [],
    );
  });
});
