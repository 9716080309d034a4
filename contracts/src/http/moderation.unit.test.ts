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
      "": { GET: "reads", PUT: "recognized", DELETE: "recognized" },
      "/approve": { POST: "recognized" },
      "/evidence/:fileId": { POST: "acts" },
      "/evidence/:fileId/delete": { POST: "recognized" },
      "/evidence/:fileId/hide": { POST: "recognized" },
      "/evidence/:fileId/publish": { POST: "recognized" },
      "/history": { GET: "reads" },
      "/mask": { POST: "recognized" },
      "/note": { POST: "recognized" },
      "/question": { POST: "recognized" },
      "/question/withdraw": { POST: "recognized" },
      "/reject": { POST: "recognized" },
      "/resolution/accept": { POST: "recognized" },
      "/resolution/payment": { POST: "recognized" },
      "/resolution/refund": { POST: "recognized" },
      "/resolution/refuse": { POST: "recognized" },
      "/restore": { POST: "recognized" },
      "/reveal": { POST: "acts" },
      "/reveals/:revealId/files/:fileId": { POST: "reads" },
      "/status": { POST: "recognized" },
      "/undo": { POST: "recognized" },
      "/undo-deletion": { POST: "recognized" },
      "/verify": { POST: "recognized" },
    });
  });
});
