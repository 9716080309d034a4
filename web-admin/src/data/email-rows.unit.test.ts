import { expect, it } from "vitest";
import { pageLocks } from "#session-client/session-fetch.ts";
import { signedIn } from "#session-client/testing/sessions.ts";
import { fakeFetch } from "../../testing/fake-fetch.ts";
import { apiClient } from "./api-client.ts";
import { consoleDataProvider } from "./console-data-provider.ts";

const item = (kind: string, type: string, id: string, status: string, usage: number) => ({
  kind,
  type,
  id,
  status,
  usage,
  name: id,
  subject: `Hello ${type}`,
});
const data = [
  item("verification", "report", "shipped", "inactive", 1),
  item("verification", "report", "Friendlier", "active", 2),
  item("verification", "report", "Try", "draft", 0),
  item("approved", "report", "shipped", "active", 0),
  item("approved", "report", "Kinder", "draft", 0),
  item("notice_received", "legal", "shipped", "active", 4),
];
const rows = (filter = {}) => {
  const { fetch } = fakeFetch({
    "GET /prod/api/admin/templates": { body: { success: true, data } },
  });
  const client = apiClient({ fetch, session: signedIn(), locks: pageLocks() });
  const sort = { field: "type", order: "ASC" } as const;
  const pagination = { page: 1, perPage: 100 };
  return consoleDataProvider(client).getList("templates", { pagination, sort, filter });
};
const CONFIRM = "verification/Friendlier";
const PUBLISHED = "approved/shipped";
const NOTICE = "notice_received/shipped";

it("has one row per kind of email, sorted by area, with its active template", async () => {
  const found = await rows();
  expect(found.data.map(({ id, title, status, usage }) => [id, title, status, usage])).toEqual([
    [NOTICE, "Notice received", "default", 4],
    [CONFIRM, "Confirm a report", "custom", 3],
    [PUBLISHED, "Report published", "drafts", 0],
  ]);
  expect(found.total).toBe(3);
});

it.each([
  [{ type: "legal" }, [NOTICE]],
  [{ status: "custom" }, [CONFIRM]],
  [{ status: "drafts" }, [PUBLISHED]],
  [{ q: "friend" }, [CONFIRM]],
  [{ q: "CONFIRM A REPORT" }, [CONFIRM]],
  [{ q: "kinder" }, [PUBLISHED]],
  [{ q: "hello", type: "report" }, [CONFIRM, PUBLISHED]],
  [{ q: "nothing" }, []],
  [{ q: "shipped" }, []],
])("filtered by %j, has the rows %j", async (filter, ids) => {
  expect((await rows(filter)).data.map(({ id }) => id)).toEqual(ids);
});
