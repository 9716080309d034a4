import { describe, expect, it } from "vitest";
import { MODERATION, MODERATION_NAMES, moderation, moderationCommand } from "./moderation.ts";

const rows = MODERATION_NAMES.map(moderation);
const isUnique = (values: readonly string[]) => new Set(values).size === values.length;

describe("moderator commands", () => {
  it("differ in type, title and route", () => {
    expect(isUnique(rows.map(({ type }) => type))).toBe(true);
    expect(isUnique(rows.map(({ title }) => title))).toBe(true);
    expect(isUnique(rows.map(({ method, path }) => method + path))).toBe(true);
  });

  it("reject fields that their bodies do not declare", () => {
    for (const { body } of rows) expect(body).toMatchObject({ additionalProperties: false });
  });

  it("are plain data: the type in the log, and the body as sent", () => {
    const body = { reason: "No proof" };
    expect(moderationCommand("reject", body)).toEqual({ type: "RejectReport", body });
    expect(moderationCommand("approve", {})).toEqual({ type: MODERATION.approve.type, body: {} });
  });
});
