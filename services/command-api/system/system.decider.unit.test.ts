import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { SystemEvent } from "#contracts/events/index.ts";
import { evolveSystem } from "#contracts/events/system.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideSystem, type SystemCommand } from "./system.decider.ts";

const given = givenFor({
  decide: decideSystem,
  evolve: evolveSystem,
  moment: { now: "2026-11-24T10:00:00.000Z", newId: "n" },
});
const jobId = randomUUID();
const start: SystemCommand = { type: "StartSystemAction", jobId, action: "clear-cache" };
const end = (count?: number): SystemCommand => ({
  type: "EndSystemAction",
  jobId,
  action: "clear-cache",
  outcome: "done",
  count,
});
const action = { job_id: jobId, action: "clear-cache" };
const started: SystemEvent = { type: "SystemActionStarted", data: action };
const ended: SystemEvent = { type: "SystemActionEnded", data: { ...action, outcome: "done" } };

it("starts and ends an action once, however often its job begins", () => {
  given().when(start).gives(started);
  given(started).when(start).gives();
  given(started).when(end()).gives(ended);
  given(started, ended).when(end(3)).gives();
  given(started, ended).when(start).gives();
});

it("records the count", () => {
  given(started)
    .when(end(3))
    .gives({ type: "SystemActionEnded", data: { ...action, outcome: "done", count: 3 } });
});

it("rejects the end of an action that never started", () => {
  expect(() => given().when(end()).events).toThrow("never started");
});
