import { expect, it } from "vitest";
import type { LogEvent } from "#contracts/events/index.ts";
import { evolveLog } from "#contracts/events/log.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideLog } from "./log.decider.ts";

const given = givenFor({ decide: decideLog, evolve: evolveLog, moment: undefined });

const started: LogEvent = { type: "LogStarted", data: {} };
const restored: LogEvent = { type: "LogRestored", data: {} };
const loaded: LogEvent = { type: "SamplesLoaded", data: { reports: 40 } };
const cleared: LogEvent = { type: "SamplesCleared", data: { reports: 40 } };
const load = { type: "LoadSamples", reports: 40 } as const;

it("is started once", () => {
  given().when({ type: "StartLog" }).gives(started);
  given(started).when({ type: "StartLog" }).gives();
});

it("gets a new epoch from each restore", () => {
  given(started).when({ type: "RestoreLog" }).gives(restored);
  given(started, restored).when({ type: "RestoreLog" }).gives(restored);
});

it("records that the ledger of erasures was lost", () => {
  given(started)
    .when({ type: "RestoreLog", erasureLedgerLost: true })
    .gives({ type: "LogRestored", data: { erasure_ledger_lost: true } });
});

it("records samples once each time they are loaded", () => {
  given(started).when(load).gives(loaded);
  given(started, loaded).when(load).gives();
  given(started, loaded, restored).when(load).gives();
  given(started, loaded, cleared).when(load).gives(loaded);
});

it("records each removal of samples, even when none are left", () => {
  const clear = { type: "ClearSamples", reports: 40 } as const;
  given(started, loaded).when(clear).gives(cleared);
  given(started, cleared)
    .when({ ...clear, reports: 0 })
    .gives({ type: "SamplesCleared", data: { reports: 0 } });
});

it("remembers whether samples are loaded or cleared", () => {
  const samples = (...events: LogEvent[]) => given(...events).state?.samples;
  expect(samples()).toBeUndefined();
  expect(samples(started)).toBe("none");
  expect(samples(started, loaded, restored)).toBe("loaded");
  expect(samples(started, loaded, cleared)).toBe("cleared");
});
