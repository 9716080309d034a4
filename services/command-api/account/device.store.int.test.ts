import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { DEVICE_FAILURES, DEVICE_SECONDS, DEVICES_KEPT, DeviceStore } from "./device.store.ts";

let fixture: Fixture;
let devices: DeviceStore;
let account: string;
beforeAll(async () => {
  fixture = await startCommandApi();
  devices = new DeviceStore(fixture.db);
  account = (await fixture.api.accounts.firstAdmin())?.id ?? "";
});
// The fixture signs in by the real clock: its device would count among those of the fixed one.
beforeEach(() => fixture.db.query("delete from command.device"));
afterAll(() => fixture.close());

const NOW = Date.parse("2026-11-22T10:00:00.000Z");
const HOUR = 3_600_000;

describe("devices of an account", () => {
  it("may fail again an hour after their first failure", async () => {
    const secret = await devices.add(account, "sign-in", NOW);
    for (let i = 0; i < DEVICE_FAILURES; i += 1)
      expect(await devices.admit(account, secret, NOW + i)).toBe("known");
    expect(await devices.admit(account, secret, NOW + HOUR - 1)).toBeUndefined();
    expect(await devices.admit(account, secret, NOW + HOUR)).toBe("known");
    expect(await devices.admit(account, secret, NOW + HOUR + 1)).toBe("known");
  });

  it("are forgotten when they were not used for ninety days", async () => {
    const secret = await devices.add(account, "link", NOW);
    const end = NOW + DEVICE_SECONDS * 1000;
    expect(await devices.admit(account, secret, end - 1)).toBe("linked");
    expect(await devices.admit(account, secret, end)).toBeUndefined();
    const count = async () =>
      (await fixture.db.query("select from command.device where account_id = $1", [account]))
        .rowCount;
    await devices.welcome(account, secret, NOW + 1);
    await devices.sweep(end);
    expect(await devices.admit(account, secret, end)).toBe("known");
    await devices.sweep(end + 1);
    expect(await count()).toBe(0);
  });

  it("are twenty at most: the one that was not used for longest goes", async () => {
    const first = await devices.add(account, "sign-in", NOW);
    const second = await devices.add(account, "sign-in", NOW + 1);
    await devices.welcome(account, first, NOW + 2);
    for (let i = 0; i < DEVICES_KEPT - 1; i += 1)
      await devices.add(account, "sign-in", NOW + 3 + i);
    expect(await devices.admit(account, first, NOW + HOUR)).toBe("known");
    expect(await devices.admit(account, second, NOW + HOUR)).toBeUndefined();
  });
});
