import { describe, expect, it } from "vitest";
import { MODERATION, MODERATION_NAMES, moderation, moderationCommand } from "./moderation.ts";

const rows = MODERATION_NAMES.map(moderation);
const isUnique = (values: readonly string[]) => new Set(values).size === values.length;

describe("the commands of moderators", () => {
  it("differ in type, title and route", () => {
    expect(isUnique(rows.map(({ type }) => type))).toBe(true);
    expect(isUnique(rows.map(({ title }) => title))).toBe(true);
    expect(isUnique(rows.map(({ method, path }) => method + path))).toBe(true);
  });

  it("refuse what their bodies do not declare", () => {
    for (const { body } of rows) expect(body).toMatchObject({ additionalProperties: false });
  });

  it("are data: the type that the log keeps, and the body as it was sent", () => {
    const body = { reason: "No proof" };
    expect(moderationCommand("reject", body)).toEqual({ type: "RejectReport", body });
    expect(moderationCommand("approve", {})).toEqual({ type: MODERATION.approve.type, body: {} });
  });
});
