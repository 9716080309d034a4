import { expect, it } from "vitest";
import { type RegistryEvent, streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());

const loaded = async () => (await service.get("/prod/api/samples")).json();

/** Appends an event to the log's own stream, and adds its audit log entry. */
async function happen(command: string, event: RegistryEvent): Promise<void> {
  const [stored] = await service.append(streams.log, [{ command, role: "system", event }]);
  if (stored) await service.addEntry(stored);
}

it("returns whether samples are loaded, until they are cleared", async () => {
  const is = (value: boolean) => ({ success: true, data: { loaded: value } });
  expect(await loaded()).toEqual(is(false));
  await happen("StartLog", { type: "LogStarted", data: {} });
  expect(await loaded()).toEqual(is(false));
  await happen("LoadSamples", { type: "SamplesLoaded", data: { reports: 39 } });
  await happen("RestoreLog", { type: "LogRestored", data: {} });
  expect(await loaded()).toEqual(is(true));
  expect((await service.get("/prod/api/site")).json().data).toMatchObject({ samples: true });
  await happen("ClearSamples", { type: "SamplesCleared", data: { reports: 39 } });
  expect(await loaded()).toEqual(is(false));
});
