import { expect, it } from "vitest";
import { backupsToRemove } from "./backups.ts";

const at = (day: number, hour: number) =>
  `registry-2026-11-${String(day).padStart(2, "0")}t${String(hour).padStart(2, "0")}-00-00-000z`;

it("keeps all backups of the last days, however many a day has", () => {
  const names = [at(1, 2), at(1, 9), at(3, 2), at(3, 9), at(3, 23), at(4, 2)];
  expect(backupsToRemove(names, 2)).toEqual([at(1, 2), at(1, 9)]);
  expect(backupsToRemove(names, 3)).toEqual([]);
  expect(backupsToRemove([], 2)).toEqual([]);
});

it("keeps backups named by a person, and does not count their days", () => {
  const named = ["registry-1", "registry-before-the-move", "registry-2026-11-02"];
  expect(backupsToRemove([at(1, 2), at(2, 2), at(3, 2), ...named], 2)).toEqual([at(1, 2)]);
});
