import { describe, expect, it } from "vitest";
import { MODERATION, MODERATION_NAMES, moderation, moderationCommand } from "./moderation.ts";
import { API_ROUTES } from "./routes.ts";

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

  it("are routes behind the report's address, which is read there too", () => {
    const behind = Object.entries(API_ROUTES)
      .filter(([url]) => url.startsWith("/prod/api/admin/reports/:id"))
      .map(([url, methods]) => [url.slice("/prod/api/admin/reports/:id".length), methods]);
    expect(Object.fromEntries(behind)).toEqual({
      "": { GET: "reads", PUT: "recognised", DELETE: "recognised" },
      "/approve": { POST: "recognised" },
      "/evidence/:fileId": { POST: "acts" },
      "/evidence/:fileId/delete": { POST: "recognised" },
      "/evidence/:fileId/hide": { POST: "recognised" },
      "/evidence/:fileId/publish": { POST: "recognised" },
      "/history": { GET: "reads" },
      "/mask": { POST: "recognised" },
      "/note": { POST: "recognised" },
      "/question": { POST: "recognised" },
      "/question/withdraw": { POST: "recognised" },
      "/reject": { POST: "recognised" },
      "/resolution/accept": { POST: "recognised" },
      "/resolution/payment": { POST: "recognised" },
      "/resolution/refund": { POST: "recognised" },
      "/resolution/refuse": { POST: "recognised" },
      "/restore": { POST: "recognised" },
      "/reveal": { POST: "acts" },
      "/reveals/:revealId/files/:fileId": { POST: "reads" },
      "/status": { POST: "recognised" },
      "/undo": { POST: "recognised" },
      "/undo-deletion": { POST: "recognised" },
      "/verify": { POST: "recognised" },
    });
  });
});
