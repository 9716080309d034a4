import { describe, expect, it } from "vitest";
import { StreamIds } from "./records.ts";

describe("the cached ids of streams", () => {
  it("are contiguous from the first event", () => {
    const ids = new StreamIds();
    ids.note("report-1", 1, "b");
    expect(ids.known("report-1")).toEqual([]);
    ids.note("report-1", 0, "a");
    ids.note("report-1", 0, "x");
    ids.note("report-1", 1, "b");
    ids.note("report-1", 3, "d");
    expect(ids.known("report-1")).toEqual(["a", "b"]);
  });

  it("are evicted for the least recently used streams", () => {
    const ids = new StreamIds(4);
    for (const stream of ["report-1", "report-2"]) {
      ids.note(stream, 0, "a");
      ids.note(stream, 1, "b");
    }
    ids.known("report-1");
    ids.note("report-3", 0, "a");
    expect(ids.known("report-1")).toHaveLength(2);
    expect(ids.known("report-2")).toEqual([]);
    expect(ids.known("report-3")).toHaveLength(1);
  });

  it("are kept for a stream that is larger than the limit", () => {
    const ids = new StreamIds(2);
    for (let n = 0; n < 5; n += 1) ids.note("report-1", n, String(n));
    expect(ids.known("report-1")).toHaveLength(5);
  });
});
