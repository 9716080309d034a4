import { expect, it } from "vitest";
import type { StoredEvent } from "#event-store/port.ts";
import { setNumber } from "./source.ts";

/** A log with these settings changes. */
const log = (...changes: object[]) => ({
  async *readStream() {
    for (const data of changes) yield { data } as StoredEvent;
  },
});

it("reads the current setting of days to keep backups, within its bounds", async () => {
  expect(await setNumber(log())).toBe(0);
  expect(await setNumber(log({ backup_keep: 14 }, { debug_mode: true }))).toBe(14);
  expect(await setNumber(log({ backup_keep: 14 }, { backup_keep: 0 }))).toBe(0);
  expect(await setNumber(log({ backup_keep: 1 }))).toBe(2);
  expect(await setNumber(log({ backup_keep: 9999 }))).toBe(365);
});
