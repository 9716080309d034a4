import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import {
  COOKIE_SECRETS,
  DEVICE_FAILURES,
  DEVICE_SECONDS,
  DEVICES_KEPT,
  DeviceStore,
} from "./device.store.ts";

let fixture: Fixture;
let devices: DeviceStore;
let account: string;
beforeAll(async () => {
  fixture = await startCommandApi();
  devices = new DeviceStore(fixture.db);
  account = (await fixture.api.accounts.firstAdmin())?.id ?? "";
});
// The fixture signs in with the real clock, so its device would count in these tests too.
beforeEach(() => fixture.db.query("delete from command.device"));
afterAll(() => fixture.close());

const NOW = Date.parse("2026-11-22T10:00:00.000Z");
const HOUR = 3_600_000;

const stateOf = async (secrets: readonly string[], nowMs: number) =>
  (await devices.admit(account, secrets, nowMs))?.state;

describe("devices of an account", () => {
  it("may fail again an hour after their first failure", async () => {
    const cookie = await devices.add(account, "sign-in", NOW);
    for (let i = 0; i < DEVICE_FAILURES; i += 1)
      expect(await stateOf(cookie, NOW + i)).toBe("known");
    expect(await stateOf(cookie, NOW + HOUR - 1)).toBeUndefined();
    expect(await stateOf(cookie, NOW + HOUR)).toBe("known");
    expect(await stateOf(cookie, NOW + HOUR + 1)).toBe("known");
  });

  it("are forgotten after ninety days without use", async () => {
    const cookie = await devices.add(account, "link", NOW);
    const end = NOW + DEVICE_SECONDS * 1000;
    expect(await stateOf(cookie, end - 1)).toBe("linked");
    expect(await stateOf(cookie, end)).toBeUndefined();
    const count = async () =>
      (await fixture.db.query("select from command.device where account_id = $1", [account]))
        .rowCount;
    await devices.welcome(account, cookie[0] ?? "", NOW + 1);
    await devices.sweep(end);
    expect(await stateOf(cookie, end)).toBe("known");
    await devices.sweep(end + 1);
    expect(await count()).toBe(0);
  });

  it("are limited to twenty: the least recently used is dropped", async () => {
    const first = await devices.add(account, "sign-in", NOW);
    const second = await devices.add(account, "sign-in", NOW + 1);
    await devices.welcome(account, first[0] ?? "", NOW + 2);
    for (let i = 0; i < DEVICES_KEPT - 1; i += 1)
      await devices.add(account, "sign-in", NOW + 3 + i);
    expect(await stateOf(first, NOW + HOUR)).toBe("known");
    expect(await stateOf(second, NOW + HOUR)).toBeUndefined();
  });

  it("get attempts back, but no more than they made", async () => {
    const cookie = await devices.add(account, "sign-in", NOW);
    const secret = cookie[0] ?? "";
    for (let i = 0; i < DEVICE_FAILURES; i += 1) await devices.admit(account, cookie, NOW + i);
    expect(await stateOf(cookie, NOW + 100)).toBeUndefined();
    await devices.giveBack(account, secret);
    expect(await stateOf(cookie, NOW + 101)).toBe("known");
    expect(await stateOf(cookie, NOW + 102)).toBeUndefined();
    await devices.welcome(account, secret, NOW + 103);
    await devices.giveBack(account, secret);
    for (let i = 0; i < DEVICE_FAILURES; i += 1)
      expect(await stateOf(cookie, NOW + 104 + i)).toBe("known");
    expect(await stateOf(cookie, NOW + 200)).toBeUndefined();
  });

  it("share one cookie with other accounts, at most five and newest first", async () => {
    const others = Array.from({ length: COOKIE_SECRETS }, (_, i) => `${i}`.repeat(43));
    const cookie = await devices.add(account, "sign-in", NOW, others);
    expect(cookie.slice(1)).toEqual(others.slice(0, COOKIE_SECRETS - 1));
    expect(await stateOf(cookie.toReversed(), NOW)).toBe("known");
    expect(await stateOf(others, NOW)).toBeUndefined();
    // The account's own previous secret is replaced and no longer works.
    const again = await devices.add(account, "link", NOW + 1, cookie);
    expect(again.slice(1)).toEqual(cookie.slice(1));
    expect(await stateOf(cookie, NOW + 1)).toBeUndefined();
  });
});
