import { describe, expect, it } from "vitest";
import { formatClock } from "../../shared/formats.ts";
import { heldWords, takenWords } from "./taken-words.ts";

const [early, late] = ["2026-11-20T09:05:00.000Z", "2026-11-20T09:12:00.000Z"];
const held = (until: string, by?: string) => ({ report_id: until, until, ...(by ? { by } : {}) });

describe("what is said of reports that others have", () => {
  it("names who has one, and until when", () => {
    expect(takenWords(held(early, "Ben Lee"))).toBe(
      `Ben Lee has this report until ${formatClock(early)}.`,
    );
    expect(takenWords(held(early))).toMatch(/^Another moderator has this report/);
  });

  it("names each moderator once, and the last end", () => {
    expect(heldWords([held(early, "Ben Lee")])).toBe(
      `Ben Lee has 1 of these reports, until ${formatClock(early)}.`,
    );
    expect(heldWords([held(late, "Ben Lee"), held(early, "Ben Lee"), held(early, "Ida Roe")])).toBe(
      `Ben Lee and Ida Roe have 3 of these reports, until ${formatClock(late)} at the latest.`,
    );
    expect(heldWords([held(early), held(late)])).toMatch(/^Another moderator has 2 of these/);
  });
});
