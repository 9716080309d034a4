import { beforeAll, expect, it } from "vitest";
import { DELETIONS } from "#contracts/http/report-view.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const AT = "2026-11-28T10:00:00.000Z";

const service = forFile(() => startQueryApi());
beforeAll(async () => {
  await service.moveTo(5);
});

const asked = (reason_code: string) => ({ by: service.accounts.admin, at: AT, reason_code });

async function hidden(erase_at: string): Promise<string> {
  const id = await service.addReport({
    status: "approved",
    slug: `gone-${erase_at.slice(11, 13)}`,
  });
  await service.db.query(
    "insert into reports.hidden_report select r.*, $2 from reports.report r where id = $1",
    [id, { ...asked("court_order"), erase_at }],
  );
  await service.db.query("delete from reports.report where id = $1", [id]);
  return id;
}

it("lists only deletions: those awaiting an admin, then those erased soonest", async () => {
  await service.addReport({ status: "pending" });
  const later = await hidden("2026-11-29T11:00:00.000Z");
  const sooner = await hidden("2026-11-29T09:00:00.000Z");
  const waiting = await service.addReport({ status: "pending", deletion_request: asked("spam") });
  const own = await service.addReport({
    status: "pending",
    owner_id: service.accounts.admin,
    deletion_request: asked("spam"),
    created_at: "2026-01-01T00:00:00.000Z",
  });

  const { data } = (await service.get(DELETIONS, { as: "admin" })).json();
  const by = { by: service.accounts.admin, at: AT };
  expect(data).toEqual({
    deletions: [
      expect.objectContaining({ id: waiting, ...by, reason_code: "spam", status: "pending" }),
      expect.objectContaining({ id: own, own: true }),
      expect.objectContaining({ id: sooner, ...by, erase_at: "2026-11-29T09:00:00.000Z" }),
      expect.objectContaining({ id: later, ...by, reason_code: "court_order", status: "approved" }),
    ],
    has_more: false,
  });
  expect(data.deletions[0]).not.toHaveProperty("erase_at");
  const list = await service.get("/prod/api/admin/reports?limit=1", { as: "admin" });
  expect(list.json().data.counts.deleted).toBe(data.deletions.length);

  const page = (id: string) => service.get(`/prod/api/admin/reports/${id}`, { as: "admin" });
  const { deletion_request } = (await page(waiting)).json().data;
  expect(deletion_request).toMatchObject({ ...by, reason_code: "spam" });
  const gone = await page(sooner);
  expect(gone.statusCode).toBe(410);
  expect(gone.json().error.fields).toEqual({
    by: by.by,
    erase_at: "2026-11-29T09:00:00.000Z",
    reason_code: "court_order",
  });
});
