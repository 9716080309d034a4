import { describe, expect, it } from "vitest";
import type { PartReport } from "#contracts/http/system.ts";
import { PROCESS_TIMEOUT_SECONDS, presentStatus, type ServiceReport } from "./system-status.ts";

const NOW = new Date("2026-11-23T12:00:00.000Z");

function report(changes: Partial<ServiceReport> = {}): ServiceReport {
  return {
    process_id: "00000000-0000-4000-8000-000000000001",
    service: "query-api",
    version: "0.1.0",
    uptime_seconds: 60,
    memory_bytes: 100,
    cpu_share: 0.25,
    parts: [],
    processors: [],
    servers: [],
    age: 1,
    ...changes,
  };
}

function part(name: PartReport["part"], changes: Partial<PartReport> = {}): PartReport {
  return { part: name, mode: "external", status: "connected", ms: 3, ...changes };
}

const OTHER = "00000000-0000-4000-8000-000000000002";

describe("the system status", () => {
  it("counts a process once, whichever services share it", () => {
    const { processes, memory, cpu, uptime } = presentStatus(
      [],
      [report(), report({ service: "mailer", uptime_seconds: 50, age: 2 })],
      [],
      NOW,
    );
    expect(processes).toHaveLength(1);
    expect(processes[0]).toMatchObject({
      services: ["mailer", "query-api"],
      state: "running",
      memory: 100,
      cpu: 25,
      reported: 1,
    });
    expect({ memory, cpu, uptime }).toEqual({ memory: 100, cpu: 25, uptime: 60 });
  });

  it("shows a process that stopped reporting as gone, last, and excludes its figures", () => {
    const gone = report({
      process_id: OTHER,
      service: "mailer",
      uptime_seconds: 9000,
      memory_bytes: 900,
      age: PROCESS_TIMEOUT_SECONDS,
      parts: [part("email"), part("database", { status: "error" })],
      processors: [{ name: "reports", state: "live", seconds_behind: 0, parked: 0 }],
    });
    const status = presentStatus([part("database")], [gone, report()], [], NOW);
    expect(status.processes.map(({ state }) => state)).toEqual(["running", "gone"]);
    expect(status).toMatchObject({ database: "connected", email: "disconnected" });
    expect(status).toMatchObject({ memory: 100, cpu: 25, uptime: 60, processors: [] });
  });

  it("uses the worst report of a part, and its slowest check", () => {
    const reports = [
      report({ parts: [part("s3", { status: "error", ms: 9 }), part("database")] }),
      report({ process_id: OTHER, parts: [part("s3", { status: "disconnected", ms: 2000 })] }),
    ];
    const { s3, database, parts } = presentStatus([part("s3")], reports, [], NOW);
    expect({ s3, database }).toEqual({ s3: "disconnected", database: "connected" });
    expect(parts.find((each) => each.part === "s3")).toEqual({
      part: "s3",
      status: "disconnected",
      mode: "external",
      ms: 2000,
    });
  });

  it("adds up the usage of reporting processes and of polled ones that respond", () => {
    const figures = { service: "web", uptime: 90, memory: 50, cpu: 2.5 } as const;
    const { memory, cpu, uptime, asked } = presentStatus(
      [],
      [report()],
      [{ address: 1 }, { address: 2, figures }],
      NOW,
    );
    expect({ memory, cpu, uptime }).toEqual({ memory: 150, cpu: 27.5, uptime: 90 });
    expect(asked).toHaveLength(2);
  });

  it("shows a part that no process checks as disconnected", () => {
    const { email, parts } = presentStatus([], [], [], NOW);
    expect(email).toBe("disconnected");
    expect(parts.find((each) => each.part === "email")).toEqual({
      part: "email",
      status: "disconnected",
      mode: "embedded",
    });
  });
});

it("lists each outdated server once, with the remedy for the embedded one", () => {
  const embedded = { target: "database", program: "postgresql", isEmbedded: true } as const;
  const search = { target: "search", program: "opensearch", isEmbedded: false } as const;
  const servers = [
    { ...embedded, version: "18.4" },
    { ...search, version: "3.8.0" },
  ];
  const gone = report({ age: PROCESS_TIMEOUT_SECONDS, servers: [{ ...search, version: "2.0.0" }] });
  const found = presentStatus([], [report({ servers }), report({ servers }), gone], [], NOW);
  expect(found.old_servers).toEqual([
    expect.stringMatching(/^PostgreSQL 18\.4 is older than 18\.7, .*Set POSTGRES_BIN/),
  ]);
  const fine = { ...embedded, version: "18.7" };
  expect(presentStatus([], [report({ servers: [fine] })], [], NOW).old_servers).toEqual([]);
});
