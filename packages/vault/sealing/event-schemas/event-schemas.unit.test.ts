import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type EventSchemas, eventSchemas, SCHEMAS_FILE } from "./event-schemas.ts";

const kept: EventSchemas = JSON.parse(readFileSync(SCHEMAS_FILE, "utf8"));
const defined = eventSchemas();

describe("the schema of a version of an event", () => {
  it.each(Object.keys(kept))("%s is what it was when events were first stored", (name) => {
    expect(
      defined[name],
      `${name} has changed, and events of it are stored: make a new version with an upcaster, and leave this one as it was`,
    ).toEqual(kept[name]);
  });

  it("is kept for every version", () => {
    expect(
      Object.keys(defined).filter((name) => !(name in kept)),
      "run packages/vault/sealing/event-schemas/write-schemas.ts to keep the schemas of new versions",
    ).toEqual([]);
  });
});
