import { describe, expect, it } from "vitest";
import { ADMIN_CONTENT } from "#contracts/http/content.ts";
import { forFile } from "#test-kit/for-file.ts";
import { type Method, type Role, startSystem } from "./support/in-process.ts";

const system = forFile(() => startSystem());

/** Sends a command as an admin. */
async function send(method: Method, path: string, body: object) {
  const reply = await system.call(method, ADMIN_CONTENT + path, { as: "admin", body });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data as { id: string; status: string; revision: number };
}
const read = async (url: string, as?: Role) => {
  const reply = await system.read(url, as);
  return [reply.statusCode, reply.json()] as const;
};
/** The data of a reply that must succeed. */
async function dataOf(url: string, as?: Role) {
  const [status, body] = await read(url, as);
  expect([status, body], url).toEqual([200, body]);
  return body.data ?? body;
}
const post = (slug: string, changes: object = {}) => ({
  kind: "blog",
  slug,
  title: `About ${slug}`,
  description: "What it is about",
  body: `# Heading\n\nCanary-${slug} **said**`,
  ...changes,
});
const rows = async () => (await system.db.query("select * from content.item order by id")).rows;
/** Changes the words of a text. */
async function edit(id: string, revision: number, changes: object) {
  const { text } = await dataOf(`${ADMIN_CONTENT}/${id}`, "admin");
  return send("PUT", `/${id}`, { revision, ...text, ...changes });
}

describe("a post", () => {
  it("is nobody's but the admins' until it is published", async () => {
    const { id, revision } = await send("POST", "", post("first"));
    expect(await read("/prod/api/posts/first")).toEqual(await read("/prod/api/posts/none"));
    expect((await dataOf("/prod/api/posts")).total).toBe(0);
    expect(await dataOf("/prod/api/sitemap/content")).toEqual([]);
    for (const as of ["visitor", "user", "auditor"] as const) {
      const [status] = await read(`${ADMIN_CONTENT}/${id}`, as);
      expect([as, status]).toEqual([as, as === "visitor" ? 401 : 403]);
    }
    await send("POST", `/${id}/publish`, { revision });
    const article = await dataOf("/prod/api/posts/first");
    expect(article).toMatchObject({ id, slug: "first", title: "About first", view_count: 0 });
    expect(article.html).toContain("<strong>said</strong>");
    expect((await dataOf("/prod/api/posts")).posts).toMatchObject([{ slug: "first" }]);
    const [asPage] = await read("/prod/api/pages/first");
    expect(asPage).toBe(404);
  });

  it("stays as it is while its draft changes, until that is published", async () => {
    const { id, revision } = await send("POST", "", post("second"));
    const published = await send("POST", `/${id}/publish`, { revision });
    const edited = await edit(id, published.revision, { title: "Another title" });
    expect((await dataOf("/prod/api/posts/second")).title).toBe("About second");
    const record = await dataOf(`${ADMIN_CONTENT}/${id}`, "admin");
    expect(record).toMatchObject({ has_changes: true, status: "published" });
    expect([record.text.title, record.published.title]).toEqual(["Another title", "About second"]);
    await send("POST", `/${id}/publish`, { revision: edited.revision });
    expect((await dataOf("/prod/api/posts/second")).title).toBe("Another title");
  });

  it("can have an earlier version as its draft again, and its history says who did what", async () => {
    const { id, revision } = await send("POST", "", post("third"));
    const edited = await edit(id, revision, { body: "Other words" });
    await send("POST", `/${id}/restore`, { revision: edited.revision, version: revision });
    const { text, history } = await dataOf(`${ADMIN_CONTENT}/${id}`, "admin");
    expect(text.body).toContain("Canary-third");
    expect(history).toMatchObject([
      { type: "ContentCreated", actor: "Dana Ruiz", has_text: true },
      { type: "ContentEdited", actor: "Dana Ruiz", has_text: true },
      { type: "ContentRestored", restored: revision, has_text: true },
    ]);
    const version = `${ADMIN_CONTENT}/${id}/versions/${edited.revision}`;
    expect((await dataOf(version, "admin")).body).toBe("Other words");
    const [status] = await read(`${ADMIN_CONTENT}/${id}/versions/99`, "admin");
    expect(status).toBe(404);
  });

  it("is gone when it is taken back, and leaves no word when it is deleted", async () => {
    const { id, revision } = await send("POST", "", post("fourth"));
    const published = await send("POST", `/${id}/publish`, { revision });
    const hidden = await send("POST", `/${id}/unpublish`, { revision: published.revision });
    const [status] = await read("/prod/api/posts/fourth");
    expect(status).toBe(404);
    const again = await send("POST", `/${id}/publish`, { revision: hidden.revision });
    await send("DELETE", `/${id}`, { revision: again.revision });
    const [gone, body] = await read("/prod/api/posts/fourth");
    expect([gone, body.error.code]).toEqual([410, "content_deleted"]);
    expect(JSON.stringify(await rows())).not.toContain("fourth");
    const [record] = await read(`${ADMIN_CONTENT}/${id}`, "admin");
    const [version] = await read(`${ADMIN_CONTENT}/${id}/versions/0`, "admin");
    expect([record, version]).toEqual([410, 404]);
  });

  it("is listed for admins with its author, its views and what ships, by part of its title", async () => {
    const filter = encodeURIComponent(JSON.stringify({ q: "about first" }));
    const found = await dataOf(`/prod/admin/content?filter=${filter}`, "admin");
    expect(found).toMatchObject([
      { title: "About first", type: "blog", status: "published", author: "Dana Ruiz" },
    ]);
    await system.call("POST", `/prod/api/content/${found[0].id}/view`, { body: {} });
    await expect.poll(async () => (await dataOf("/prod/api/posts/first")).view_count).toBe(1);
    const legal = encodeURIComponent(JSON.stringify({ type: "legal" }));
    const shipped = await dataOf(`/prod/admin/content?filter=${legal}`, "admin");
    expect(shipped.map(({ slug }: { slug: string }) => slug).toSorted()).toEqual([
      "disclaimer",
      "dmca",
      "privacy",
      "terms",
    ]);
    expect(shipped[0]).toMatchObject({ status: "published", revision: -1 });
  });
});

describe("a page", () => {
  it("stands in the footer and in the sitemap once it is published", async () => {
    const { id, revision } = await send("POST", "", post("team", { kind: "page" }));
    const { pages: before } = await dataOf("/prod/api/site");
    expect(before).toEqual([]);
    await send("POST", `/${id}/publish`, { revision });
    expect((await dataOf("/prod/api/site")).pages).toEqual([{ slug: "team", title: "About team" }]);
    expect((await dataOf("/prod/api/pages/team")).html).toContain("Canary-team");
  });
});

describe("a text that ships", () => {
  const list = async () => dataOf("/prod/admin/content?range=[0,99]", "admin");

  it("is answered as it ships until a change of it is published", async () => {
    const item = (await list()).find(({ slug }: { slug: string }) => slug === "cost");
    const answer = async () =>
      (await dataOf("/prod/api/faq")).find(({ id }: { id: string }) => id === "cost").answer;
    const shipped = await answer();
    const edited = await edit(item.id, -1, { body: "It costs nothing at all." });
    expect(await answer()).toBe(shipped);
    await send("POST", `/${item.id}/publish`, { revision: edited.revision });
    expect(await answer()).toContain("It costs nothing at all.");
    expect(await dataOf("/prod/api/faq")).toHaveLength(10);
  });

  it("gets a version and a date of its own when it is a legal text", async () => {
    const item = (await list()).find(({ slug }: { slug: string }) => slug === "terms");
    const before = await dataOf("/prod/api/site");
    const edited = await edit(item.id, -1, { body: "## 1. Be fair" });
    await send("POST", `/${item.id}/publish`, { revision: edited.revision });
    const terms = await dataOf("/prod/api/content/terms");
    expect(terms.html).toContain("Be fair");
    expect(terms.version).not.toBe(before.terms_version);
    expect((await dataOf("/prod/api/site")).terms_version).toBe(terms.version);
  });
});

describe("the table of texts", () => {
  it("is the same after it was rebuilt from the log", async () => {
    const before = await rows();
    expect(before.length).toBeGreaterThan(5);
    await system.rebuild();
    expect(await rows()).toEqual(before);
  });
});
