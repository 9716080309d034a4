import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backupsToRemove } from "./kept-backups.ts";

const at = (day: number, hour: number) =>
  `registry-2026-11-${String(day).padStart(2, "0")}t${String(hour).padStart(2, "0")}-00-00-000z`;

describe("of the backups", () => {
  it("the first and the last of each of the last days stay", () => {
    const names = [at(1, 2), at(1, 9), at(3, 2), at(3, 9), at(3, 23), at(4, 2)];
    expect(backupsToRemove(names, 2)).toEqual([at(1, 2), at(1, 9), at(3, 9)]);
    expect(backupsToRemove(names, 3)).toEqual([at(3, 9)]);
    expect(backupsToRemove([], 2)).toEqual([]);
  });

  it("those that somebody has named stay, and count as no day", () => {
    const named = ["registry-1", "registry-before-the-move", "registry-2026-11-02"];
    expect(backupsToRemove([at(1, 2), at(2, 2), at(3, 2), ...named], 2)).toEqual([at(1, 2)]);
  });

  it("none of the days before goes, however many one session makes at midnight", () => {
    const hours = fc.uniqueArray(fc.integer({ min: 3, max: 23 }), { minLength: 1 });
    fc.assert(
      fc.property(hours, fc.uniqueArray(fc.integer({ min: 0, max: 1 })), (evening, night) => {
        let kept = [at(1, 2), at(2, 2)];
        const made = [...evening.map((hour) => at(2, hour)), ...night.map((hour) => at(3, hour))];
        for (const name of made.sort()) {
          const names = [...kept, name].sort();
          const removed = backupsToRemove(names, 2);
          kept = names.filter((each) => !removed.includes(each));
          expect(kept).toContain(name);
        }
        expect(kept).toContain(at(2, 2));
        if (night.length === 0) expect(kept).toContain(at(1, 2));
      }),
    );
  });
});
