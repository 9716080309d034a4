import { expect, it } from "vitest";
import type { BackupList, KeptBackup } from "#contracts/http/backups.ts";
import { backupState, dueNote, oldestNote } from "./work-labels.ts";

const NOW = Date.parse("2026-05-02T12:00:00Z");
const hours = (count: number) => new Date(NOW + count * 3_600_000).toISOString();

it("shows how long the oldest item has been waiting", () => {
  expect(oldestNote(hours(-49 * 24), NOW)).toBe("Oldest 49 d");
  expect(oldestNote(undefined, NOW)).toBe("Nothing is waiting");
});

it("shows how much time is left, and what is late", () => {
  const work = { count: 2, late: 0, due: hours(3) };
  expect(dueNote(work, NOW)).toBe("First due in 3 h");
  expect(dueNote({ ...work, late: 1, due: hours(-3) }, NOW)).toBe("1 late");
  expect(dueNote({ count: 0, late: 0 }, NOW)).toBe("None open");
});

it("asks for a backup if there is none, or the newest is old or can't be restored", () => {
  const backup = (made_at: string, state: KeptBackup["state"] = "opens"): KeptBackup => ({
    name: "registry-2026-05-02",
    made_at,
    state,
    bytes: 1,
    key_versions: [1],
    current_key: true,
  });
  const list = (...backups: KeptBackup[]): BackupList => ({ archives: "a", keys: "k", backups });
  expect(backupState(list(backup(hours(-6)), backup(hours(-30))), NOW)).toEqual({
    value: "6 h ago",
    note: "Can be restored, 2 kept",
    isDue: false,
  });
  expect(backupState(list(backup(hours(-37))), NOW).isDue).toBe(true);
  expect(backupState(list(backup(hours(-6), "no_keys")), NOW).isDue).toBe(true);
  expect(backupState(list(), NOW)).toEqual({
    value: "None",
    note: "No backups found",
    isDue: true,
  });
  expect(backupState(undefined, NOW).isDue).toBe(true);
});
