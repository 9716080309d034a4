import { describe, expect, it } from "vitest";
import { StoreUnavailable } from "../port.ts";
import { failureOf, NoAnswer } from "./failures.ts";

describe("a failed call means", () => {
  it.each([
    [{ type: "stream-not-found", code: 5 }, "no_stream"],
    [{ type: "stream-deleted", code: 9 }, "deleted"],
    [{ type: "wrong-expected-version" }, "conflict"],
    [{ type: "maximum-append-size-exceeded", code: 3 }, "too_large"],
    [{ type: "unknown", code: 2 }, "unclear"],
    [{ code: 3 }, "unclear"],
    [{ code: 14 }, "away"],
    [{ type: "unavailable", code: 14 }, "away"],
    [{ type: "deadline-exceeded", code: 4 }, "away"],
    [{ type: "not-leader", code: 5 }, "away"],
    [{ type: "access-denied", code: 7 }, "away"],
    [{ type: "cancelled", code: 1 }, "away"],
    [new Error("Failed to discover after 10 attempts."), "away"],
    [new StoreUnavailable("closed"), "away"],
    [new NoAnswer(5), "away"],
    [undefined, "away"],
    [{ type: "constructor" }, "away"],
  ] as const)("%o: %s", (error, failure) => {
    expect(failureOf(error)).toBe(failure);
  });
});
