import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ContentKind } from "#contracts/content/content-rules.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { forFile } from "#test-kit/for-file.ts";
import { addContentItem, contentIdIn, contentText } from "../testing/content-item.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());

const add = (
  kind: ContentKind,
  slug: string,
  state: "draft" | "published" | "deleted",
  changes?: { readonly order?: number; readonly title?: string },
) => addContentItem(service, kind, slug, state, changes);
const text = contentText;
const status = async (url: string) => (await service.get(url)).statusCode;
const list = async (filter: object = {}, sort: readonly string[] = ["title", "ASC"]) => {
  const query = new URLSearchParams({
    range: "[0,99]",
    sort: JSON.stringify(sort),
    filter: JSON.stringify(filter),
  });
  const reply = await service.get(`/prod/admin/content?${query}`, { as: "admin" });
  return { rows: reply.json(), range: reply.headers["content-range"] };
};

describe("unchanged texts", () => {
  it("are the shipped ones: the FAQ in order", async () => {
    const { statusCode, body } = await service.get("/prod/api/faq");
    expect(statusCode).toBe(200);
    const { data } = JSON.parse(body);
    expect(data).toHaveLength(10);
    expect(data[0]).toMatchObject({ id: "what-is-the-registry", order: 1 });
    expect(data[0].question).toBe("What is Chargeback Registry?");
    expect(data[0].answer).toMatch(/^<p>It's a public registry/);
  });

  it("are the shipped ones: a legal page with its version and date", async () => {
    const { data } = (await service.get("/prod/api/content/privacy")).json();
    expect(data).toMatchObject({
      slug: "privacy",
      title: "Privacy Policy",
      version: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(data.html).toContain('href="mailto:support@registry.test"');
    const site = (await service.get("/prod/api/site")).json().data;
    expect(site).toEqual({ pages: [], terms_version: TERMS_VERSION, max_file_size: 10 });
  });

  it("are in the console's list, and can be opened there", async () => {
    const { rows, range } = await list({ type: "legal" });
    expect(range).toBe("content 0-3/4");
    expect(rows[0]).toMatchObject({ type: "legal", status: "published", revision: -1, views: 0 });
    const one = await service.get(`/prod/api/admin/content/${rows[0].id}`, { as: "admin" });
    expect(one.json().data).toMatchObject({ revision: -1, history: [] });
    expect(one.json().data.published).toEqual(one.json().data.text);
  });

  it.each(["nothing", "..%2Flegal%2Fterms", "__proto__", "terms.md", "cost"])(
    "are no others: 404 for the text %s",
    async (slug) => {
      const reply = await service.get(`/prod/api/content/${slug}`);
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toMatchObject({ success: false, error: { code: "not_found" } });
    },
  );
});

describe("texts in the log", () => {
  it("take precedence over shipped texts, and hide them if not public", async () => {
    await add("faq", "cost", "published", { order: 0, title: "Price?" });
    await add("faq", "support", "draft", { order: 10 });
    await add("legal", "dmca", "published", { title: "Copyright" });
    const { data } = (await service.get("/prod/api/faq")).json();
    expect(data).toHaveLength(9);
    expect(data[0]).toMatchObject({ id: "cost", question: "Price?", order: 0 });
    expect(data[0].answer).toBe("<p>Words of <em>Chargeback Registry</em></p>\n");
    const legal = (await service.get("/prod/api/content/dmca")).json().data;
    expect(legal).toMatchObject({ title: "Copyright", version: "2026-11-24" });
    expect((await list({ q: "copyright" })).rows).toHaveLength(1);
    expect((await list({ type: "faq" })).rows).toHaveLength(10);
    expect((await list({ type: "faq", status: "draft" })).rows).toMatchObject([
      { type: "faq", status: "draft" },
    ]);
  });

  it("are read by slug: 404 for a draft or an unknown one, 410 for one that was public", async () => {
    const id = await add("blog", "news", "published");
    await add("blog", "later", "draft");
    await add("blog", "gone", "deleted");
    await add("page", "about", "published");
    await service.db.query("insert into views.report_views values ($1, 7)", [id]);
    const post = (await service.get("/prod/api/posts/news")).json().data;
    expect(post).toMatchObject({
      id,
      title: "About news",
      published_at: "2026-11-24T08:00:00.000Z",
      view_count: 7,
    });
    const draft = await service.get("/prod/api/posts/later");
    const nothing = await service.get("/prod/api/posts/never");
    expect([draft.statusCode, draft.body]).toEqual([404, nothing.body]);
    expect(await status("/prod/api/posts/gone")).toBe(410);
    expect(await status("/prod/api/posts/about")).toBe(404);
    expect(await status("/prod/api/pages/about")).toBe(200);
    const { data } = (await service.get("/prod/api/posts")).json();
    expect(data).toMatchObject({ total: 1, pages: 1, posts: [{ slug: "news" }] });
    const site = (await service.get("/prod/api/site")).json().data;
    expect(site.pages).toEqual([{ slug: "about", title: "About about" }]);
  });

  it("answer 404 to visitors if deleted as a draft", async () => {
    const id = await contentIdIn(service, "blog", "never-public");
    await service.db.query(
      `insert into content.item (id, kind, status, has_changes, changed_by, changed_at, revision)
       values ($1, 'blog', 'deleted', false, 'x', now(), 1)`,
      [id],
    );
    expect(await status("/prod/api/posts/never-public")).toBe(404);
    const reply = await service.get(`/prod/api/admin/content/${id}`, { as: "admin" });
    expect(reply.statusCode).toBe(410);
  });

  it("have a history with names and versions", async () => {
    const id = await add("page", "versions", "published");
    const happened = (event: object) => ({ event, role: "admin", command: "EditContent" }) as never;
    await service.append(`content-${id}`, [
      happened({
        type: "ContentCreated",
        data: { kind: "page", content: text("versions", { body: "First" }) },
      }),
      happened({ type: "ContentPublished", data: {} }),
    ]);
    const { data } = (await service.get(`/prod/api/admin/content/${id}`, { as: "admin" })).json();
    expect(data.history).toMatchObject([
      { revision: 0, type: "ContentCreated", has_text: true },
      { revision: 1, type: "ContentPublished", has_text: false },
    ]);
    const version = (n: number) =>
      service.get(`/prod/api/admin/content/${id}/versions/${n}`, { as: "admin" });
    expect((await version(0)).json().data).toMatchObject({ body: "First" });
    for (const n of [1, 2]) expect((await version(n)).statusCode).toBe(404);
  });

  it("answer 404 for an unknown ID", async () => {
    const url = `/prod/api/admin/content/${randomUUID()}`;
    expect((await service.get(url, { as: "admin" })).statusCode).toBe(404);
  });
});
