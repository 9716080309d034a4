import { expect, it } from "vitest";
import type { SystemStatus } from "#contracts/http/system.ts";
import { ApiError } from "../data/api-error.ts";
import { runChecks } from "./connectivity.ts";
import { STATUS_URL } from "./labels.ts";

const status = {
  parts: [
    { part: "database", status: "connected", mode: "embedded", ms: 2 },
    { part: "email", status: "disconnected", mode: "external" },
  ],
  processors: [{ name: "reports", state: "live", seconds_behind: 0, parked: 2 }],
  processes: [
    { id: "1", services: ["command-api", "query-api"], state: "running", reported: 2 },
    { id: "2", services: ["mailer"], state: "gone", reported: 90 },
  ],
  asked: [
    { address: 1, figures: { service: "haproxy" } },
    { address: 2, figures: { service: "web" } },
    { address: 2 },
    { address: 2 },
  ],
} as unknown as SystemStatus;

it("checks each call, then lists the reported status of parts, tables and processes", async () => {
  let clock = 0;
  const found = await runChecks(
    {
      async read<T>(url: string) {
        if (url === "/users?page=1&limit=5") throw new ApiError(502, "");
        return (url === STATUS_URL ? status : {}) as T;
      },
    },
    () => (clock += 1),
  );
  expect(found.map(({ words, isWell }) => [words, isWell])).toEqual([
    ["Dashboard API working", true],
    ["Users API failed: HTTP error! status: 502", false],
    ["Reports API working", true],
    ["System API working", true],
    ["Database: connected", true],
    ["Email Service: disconnected", false],
    ["Tables: up to date, 2 streams parked", false],
    ["command-api, query-api: running", true],
    [
      "mailer: not running, last seen 1 min 30 s ago. If no other process has taken its place, restart it. Its log shows why it stopped. This line disappears an hour after it was last seen.",
      false,
    ],
    ["HAProxy: running", true],
    ["web: running", true],
    [
      "The process at address 2 of OPERATIONS_URLS isn't responding. Check that web or HAProxy is running there and that query-api can reach its OPERATIONS_PORT.",
      false,
    ],
  ]);
  expect(found[4]?.ms).toBe(2);
});

it("explains why the system status is missing, and still lists what works", async () => {
  const found = await runChecks({
    async read<T>(url: string) {
      if (url === STATUS_URL) throw new ApiError(503, "Try again in a moment.");
      return {} as T;
    },
  });
  expect(found.map(({ words }) => words)).toEqual([
    "Dashboard API working",
    "Users API working",
    "Reports API working",
    "System API failed: Try again in a moment.",
  ]);
});
