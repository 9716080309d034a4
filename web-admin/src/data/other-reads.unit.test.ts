import { describe, expect, it } from "vitest";
import { pageLocks } from "#session-client/session-fetch.ts";
import { signedIn } from "#session-client/testing/sessions.ts";
import { type FakeRoute, fakeFetch } from "../../testing/fake-fetch.ts";
import { apiClient } from "./api-client.ts";
import { consoleDataProvider } from "./console-data-provider.ts";

function provider(routes: Record<string, FakeRoute>) {
  const { fetch, sent } = fakeFetch(routes);
  const client = apiClient({ fetch, session: signedIn(), locks: pageLocks() });
  const asked = () => sent.map(({ url }) => url.split("/").at(-1));
  return { asked, ...consoleDataProvider(client) };
}
const at = (page: number, filter = {}, perPage = 25) => ({
  pagination: { page, perPage },
  sort: { field: "id", order: "ASC" as const },
  filter,
});
const page = (ids: readonly string[], next?: string) => ({
  body: { success: true, data: { mails: ids.map((id) => ({ id })), ...(next ? { next } : {}) } },
});

describe("a list with keyset paging", () => {
  const full = Array.from({ length: 25 }, (_, n) => `${n}`);
  const mails = () => {
    const answers = [page(full, "b"), page(full, "c"), page(["z"]), page(["z"])];
    return provider({ "GET /prod/api/admin/mails": () => answers.shift() ?? page([]) });
  };

  it("is read page by page, and gets its total on the last page", async () => {
    const { getList, asked } = mails();
    const first = await getList("mails", at(1, { state: "failed" }));
    expect(first.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false });
    expect(first.total).toBeUndefined();
    await getList("mails", at(2, { state: "failed" }));
    const last = await getList("mails", at(3, { state: "failed" }));
    expect(last).toEqual({ data: [{ id: "z" }], total: 51 });
    expect(asked()).toEqual([
      "mails?state=failed",
      "mails?state=failed&after=b",
      "mails?state=failed&after=c",
    ]);
  });

  it("is read forward to reach a page opened from a bookmark", async () => {
    const { getList, asked } = mails();
    expect((await getList("mails", at(3))).data).toEqual([{ id: "z" }]);
    expect(asked()).toEqual(["mails", "mails?after=b", "mails?after=c"]);
    await getList("mails", at(3));
    expect(asked().at(-1)).toBe("mails?after=c");
    expect(asked()).toHaveLength(4);
  });

  it("has no rows on a page past its end", async () => {
    const { getList } = provider({ "GET /prod/api/admin/mails": page(["a"]) });
    expect(await getList("mails", at(2))).toEqual({
      data: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    });
  });

  it("gives rows the IDs of their list", async () => {
    const payments = [{ report: { id: "r" }, stage: "requested" }];
    const { getList } = provider({
      "GET /prod/api/admin/payments": { body: { success: true, data: { payments } } },
    });
    expect((await getList("payments", at(1))).data).toEqual([{ ...payments[0], id: "r" }]);
  });
});

describe("a list that is returned whole", () => {
  const resolutions = [
    { id: "1", stage: "requested", first_name: "Ann", at: "2026-01-02" },
    { id: "2", stage: "requested", first_name: "Bo", at: "2026-01-03" },
    { id: "3", stage: "letter_accepted", first_name: "Cy", at: "2026-01-01" },
  ];
  const read = (params: ReturnType<typeof at>) =>
    provider({
      "GET /prod/api/admin/resolutions": {
        body: { success: true, data: { resolutions, has_more: true } },
      },
    }).getList("resolutions", params);
  const ids = async (params: ReturnType<typeof at>) => {
    const { data, total } = await read(params);
    return [data.map(({ id }) => id), total];
  };

  it("is filtered, searched, sorted and paged on the client", async () => {
    expect(await ids(at(1))).toEqual([["1", "2", "3"], 3]);
    expect(await ids(at(2, {}, 2))).toEqual([["3"], 3]);
    expect(await ids(at(1, { stage: "requested" }))).toEqual([["1", "2"], 2]);
    expect(await ids(at(1, { q: "cY" }))).toEqual([["3"], 1]);
    const sort = { field: "at", order: "DESC" as const };
    expect(await ids({ ...at(1), sort: sort as never })).toEqual([["2", "1", "3"], 3]);
  });

  it("returns the rest of its response as `meta`", async () => {
    expect((await read(at(1))).meta).toMatchObject({ has_more: true });
  });
});

describe("named commands", () => {
  it("go to their path, and return the server's message", async () => {
    const done = { body: { success: true, data: { id: "1" }, message: "Sent" } };
    const { command, read } = provider({
      "POST /prod/api/admin/mails/1/resend": done,
      "GET /prod/api/admin/mails/1": done,
    });
    expect(await command("/mails/1/resend")).toEqual({ data: { id: "1" }, message: "Sent" });
    expect(await read("/mails/1")).toEqual({ id: "1" });
  });
});
