import { describe, expect, it } from "vitest";
import { OpenStreams } from "./change-feed.ts";

describe("the streams that a process keeps open", () => {
  it("are bounded per account and in total", () => {
    const streams = new OpenStreams({ ofAccount: 2, inAll: 3 });
    const close = streams.open("ann");
    streams.open("ann");
    expect(() => streams.open("ann")).toThrow(
      expect.objectContaining({
        code: "too_many_streams",
        message: expect.stringMatching(/in 2 windows/),
      }),
    );
    streams.open("ben");
    expect(() => streams.open("cal")).toThrow(expect.objectContaining({ code: "unavailable" }));
    close();
    close();
    expect(streams.count).toBe(2);
    streams.open("cal");
    expect(() => streams.open("dan")).toThrow(expect.objectContaining({ code: "unavailable" }));
  });
});
