import pg from "pg";
import { describe, expect, it } from "vitest";
import { StoreUnavailable } from "#event-store/port.ts";
import { KeyBroken, KeyStoreUnavailable, WrongMasterKey } from "#vault/keys/key-store.ts";
import { KeyMissing, UnknownEvent } from "#vault/sealing/event-codec.ts";
import { SealBroken } from "#vault/sealing/seal.ts";
import { CheckpointReplaced, causeOf, isEventAtFault, ProcessorStopped, toStop } from "./errors.ts";

function refused(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('invalid input "Quinn Ames"', 1, "error");
  return Object.assign(error, { code, table: "report", column: "title" });
}

describe("an event of a newer version", () => {
  it("stops the processor and does not blame the event: nothing is parked", () => {
    const error = new UnknownEvent("no event is called X");
    expect(isEventAtFault(error)).toBe(false);
    expect(toStop(error)).toMatchObject({
      code: "newer_version",
      message:
        "a newer version has written to these stores (no event is called X): run that version",
    });
  });
});

describe("an error while events are applied", () => {
  it.each([
    ["a part that does not open", new SealBroken("changed")],
    ["a fold that fails", new TypeError("undefined is not a function")],
    ["a value that a column cannot hold", refused("22P02")],
    ["a constraint", refused("23514")],
    ["an entry too large for an index", refused("54000")],
  ])("is the event's fault: %s", (_, error) => {
    expect(isEventAtFault(error)).toBe(true);
  });

  it.each([
    ["key_missing", new KeyMissing("personal-1")],
    ["key_store", new KeyStoreUnavailable("away")],
    ["key_store", new WrongMasterKey("another")],
    ["key_store", new KeyBroken("damaged")],
    ["database", new Error("Connection terminated unexpectedly")],
    ["database", refused("57P01")],
    ["database", refused("42P01")],
    ["database", refused("40P01")],
    ["epoch", new ProcessorStopped("epoch", "restored")],
  ])("stops the processor and parks nothing: %s", (code, error) => {
    expect(isEventAtFault(error)).toBe(false);
    expect(toStop(error).code).toBe(code);
  });

  it("does not blame the event when a rebuild swapped its tables in", () => {
    expect(isEventAtFault(new CheckpointReplaced("reports"))).toBe(false);
  });

  it("stops a processor with a code for its cause", () => {
    expect(toStop(new StoreUnavailable("away")).code).toBe("event_store");
    expect(toStop(new TypeError("x")).code).toBe("failure");
  });

  it("is reported without data quoted by parsers or the database", () => {
    expect(causeOf(refused("22P02"))).toBe(
      "the database refuses the rows (SQLSTATE 22P02, report title)",
    );
    expect(causeOf(new SyntaxError("Unexpected token Q in Quinn"))).toBe("SyntaxError");
    expect(causeOf("Quinn")).toBe("not an error");
    expect(causeOf(new UnknownEvent("no event is called X"))).toBe(
      "UnknownEvent: no event is called X",
    );
  });
});
