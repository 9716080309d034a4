import { describe, expect, it } from "vitest";
import { ADMIN_CONTENT } from "#contracts/http/content.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { found } from "./support/canaries.ts";
import { type Method, type Role, startSystem } from "./support/in-process.ts";
import { copyKeys, type KeyCopy, restartProjector, restoreKeys } from "./support/old-keys.ts";
import { leaks, rowsOf } from "./support/traces.ts";

const system = forFile(() => startSystem());

/** What only an admin may read while it is a draft: one word in each part of a text. */
const DRAFT = ["zqslugcanary", "zqtitlecanary", "zqdescriptioncanary", "zqbodycanary"];
/** What only the draft of a published text says. */
const CHANGE = ["zqchangedtitlecanary", "zqchangedbodycanary"];
const HIDDEN = [...DRAFT, ...CHANGE];
const words = {
  slug: "zqslugcanary",
  title: "Zqtitlecanary",
  description: "Zqdescriptioncanary",
  body: "Zqbodycanary said **so**",
};
/** The table with texts for the console, and for the site once they are public. */
const OF_TEXTS = "content.item";

/** Sends an admin's command, which must succeed. */
async function send(method: Method, path: string, body: object) {
  const answer = await system.call(method, ADMIN_CONTENT + path, { as: "admin", body });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data as { id: string; revision: number };
}

/** Returns everything that the roles may read about texts, and other lists with words in them. */
async function answers(
  ids: readonly string[],
  roles: readonly Role[],
): Promise<Map<string, string>> {
  const addresses = [
    "/prod/api/posts",
    "/prod/api/posts?page=2",
    "/prod/api/posts/zqslugcanary",
    "/prod/api/pages/zqslugcanary",
    "/prod/api/pages/about-us",
    "/prod/api/content/zqslugcanary",
    "/prod/api/faq",
    "/prod/api/site",
    "/prod/api/sitemap/content",
    "/prod/api/reports/search?q=zqtitlecanary",
    "/prod/admin/content",
    "/prod/api/admin/audit-logs?limit=200",
    "/prod/admin/audit-logs",
    ...ids.flatMap((id) => [
      `${ADMIN_CONTENT}/${id}`,
      `${ADMIN_CONTENT}/${id}/versions/0`,
      `${ADMIN_CONTENT}/${id}/versions/1`,
    ]),
  ];
  const texts = new Map<string, string>();
  for (const url of addresses)
    for (const as of roles) {
      const answer = await system.read(url, as);
      expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(500);
      texts.set(`${url} as ${as}`, answer.body.replaceAll(`q=${words.title}`, ""));
    }
  return texts;
}

/** Leaves out the addresses for search engines, which are cached for half a minute. */
const present = (read: Map<string, string>) =>
  new Map([...read].filter(([address]) => !address.includes("/sitemap/")));

describe("a canary in each part of a text", () => {
  let post: { id: string; revision: number };
  let page: { id: string; revision: number };
  let oldKeys: KeyCopy = [];

  it("is nowhere public while it is a draft, and in no table but that of texts", async () => {
    post = await send("POST", "", { kind: "blog", ...words });
    const about = { kind: "page", slug: "about-us", title: "About", description: "Us", body: "Hi" };
    page = await send("POST", "", about);
    page = await send("POST", `/${page.id}/publish`, { revision: page.revision });
    page = await send("PUT", `/${page.id}`, {
      revision: page.revision,
      title: "Zqchangedtitlecanary",
      description: "Us",
      body: "Zqchangedbodycanary",
    });
    await send("POST", "/preview", { body: "Zqbodycanary" });
    const ids = [post.id, page.id];
    expect(leaks(await answers(ids, ["visitor", "user", "auditor"]), HIDDEN)).toEqual([]);
    const stored = await rowsOf(system.db);
    const elsewhere = new Map([...stored].filter(([name]) => name !== OF_TEXTS));
    expect(elsewhere.size).toBeGreaterThan(10);
    expect(leaks(elsewhere, HIDDEN)).toEqual([]);
    expect(found(system.logged(), HIDDEN)).toEqual([]);
    // Proves that the search finds them where they belong.
    expect(leaks(await answers(ids, ["admin"]), HIDDEN).length).toBeGreaterThan(HIDDEN.length);
    expect(found(stored.get(OF_TEXTS) ?? "", HIDDEN)).toEqual(HIDDEN);
  });

  it("is not revealed by a draft's URL, which answers as if the draft did not exist", async () => {
    for (const path of ["/prod/api/posts/", "/prod/api/pages/"]) {
      const [draft, nothing] = [
        await system.read(`${path}zqslugcanary`),
        await system.read(`${path}never-was`),
      ];
      expect([draft.statusCode, draft.body]).toEqual([404, nothing.body]);
    }
    const view = (id: string) => system.call("POST", `/prod/api/content/${id}/view`, { body: {} });
    const answer = await view(post.id);
    expect(answer.json().data).toEqual({ counted: false });
  });

  it("leaves the site when the text is unpublished", async () => {
    post = await send("POST", `/${post.id}/publish`, { revision: post.revision });
    const published = await answers([post.id], ["visitor"]);
    expect(leaks(published, ["zqbodycanary", "zqtitlecanary"])).not.toEqual([]);
    post = await send("POST", `/${post.id}/unpublish`, { revision: post.revision });
    const taken = await answers([post.id], ["visitor", "user", "auditor"]);
    expect(leaks(present(taken), HIDDEN)).toEqual([]);
  });

  it("is gone after deletion: rows, everyone's answers, a rebuild, and the text's key", async () => {
    oldKeys = await copyKeys(system.db);
    await send("DELETE", `/${post.id}`, { revision: post.revision });
    const gone = async () => {
      expect(leaks(await rowsOf(system.db), DRAFT)).toEqual([]);
      const read = await answers([post.id], ["visitor", "user", "admin", "auditor"]);
      expect(leaks(present(read), DRAFT)).toEqual([]);
    };
    expect((await system.read("/prod/api/posts/zqslugcanary")).statusCode).toBe(410);
    await gone();
    await system.rebuild();
    await gone();
    expect(found(system.logged(), HIDDEN)).toEqual([]);
  }, 60_000);

  it("can't be read with an older copy of the keys: a restart destroys its key again", async () => {
    const keys = await openKeyStore({
      database: system.databaseUrl,
      masterKeys: [system.masterKey],
    });
    const name = subjects.content(post.id);
    const state = async () => (await keys.get([name])).get(name)?.state;
    expect(await state()).toBe("destroyed");
    await restoreKeys(system.db, oldKeys);
    expect(await state()).toBe("present");
    await restartProjector(system);
    expect(await state()).toBe("destroyed");
    await system.rebuild();
    expect(leaks(await rowsOf(system.db), DRAFT)).toEqual([]);
    const version = await system.read(`${ADMIN_CONTENT}/${post.id}/versions/0`, "admin");
    expect(version.statusCode).toBe(404);
    await keys.close();
  }, 60_000);
});
