import { describe, expect, it } from "vitest";
import { anArticle, aPostPage, ok, refusal } from "../testing/fake-registry.ts";
import { CONFIG, get } from "../testing/get-page.ts";

const POST = "GET /prod/api/posts/what-changed";
const PAGE = "GET /prod/api/pages/about-us";
const POSTS = "GET /prod/api/posts";

/** The page's JSON-LD. */
function linkedData(html: string) {
  return JSON.parse(/<script type="application\/ld\+json"[^>]*>([^<]*)</.exec(html)?.[1] ?? "null");
}

describe("the list of posts", () => {
  it("shows each post's link, description and date, and can be indexed", async () => {
    const { html, status, calls } = await get("/blog");
    expect(status).toBe(200);
    expect(html).toContain('<a href="/blog/what-changed"');
    expect(html).toContain("Search by phone number, and a page for every post.");
    expect(html).toContain('<time dateTime="2026-05-02T09:30:00.000Z">May 2, 2026</time>');
    expect(html).toContain('<link rel="canonical" href="https://registry.test/blog"/>');
    expect(html).not.toContain('aria-label="Pages"');
    expect(calls.find(({ path }) => path === "/prod/api/posts")?.query.get("page")).toBe("1");
  });

  it("says that there are no posts yet", async () => {
    const { html, status } = await get("/blog", {
      [POSTS]: ok(aPostPage({ posts: [], total: 0 })),
    });
    expect(status).toBe(200);
    expect(html).toContain("There are no posts yet.");
  });

  it("has a page for every ten posts, with links to the adjacent pages", async () => {
    const { html, calls } = await get("/blog?page=2", {
      [POSTS]: ok(aPostPage({ page: 2, pages: 3, total: 21 })),
    });
    expect(calls.at(-1)?.query.get("page")).toBe("2");
    expect(html).toContain("<title>Blog, page 2 | Chargeback Registry</title>");
    expect(html).toContain('href="https://registry.test/blog?page=2"');
    expect(html).toMatch(/<a [^>]*rel="prev"[^>]*href="\/blog"/);
    expect(html).toMatch(/<a [^>]*rel="next"[^>]*href="\/blog\?page=3"/);
    expect(html).toContain("Page 2 of 3");
  });

  it("redirects ?page=1 to the first page's own URL", async () => {
    const { rendered } = await get("/blog?page=1");
    expect(rendered).toEqual({ kind: "redirect", status: 301, location: "/blog" });
  });

  it.each(["0", "-1", "x", "1e1", "1000", "2"])("has no page %s", async (page) => {
    const { status, html } = await get(`/blog?page=${page}`, {
      [POSTS]: ({ query }) => ok(aPostPage({ page: Number(query.get("page")) })),
    });
    expect(status).toBe(404);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  it.each([
    [undefined, 503],
    [refusal(429, "too_many_requests", "Wait"), 429],
    [refusal(400, "invalid_request", "Too far"), 404],
  ])("shows an error page if the registry returns %j", async (answer, expected) => {
    expect((await get("/blog", { [POSTS]: answer })).status).toBe(expected);
  });
});

describe("a post", () => {
  it("is complete before any script runs, including what search engines read", async () => {
    const { html, status } = await get("/blog/what-changed", { [POST]: ok(anArticle()) });
    expect(status).toBe(200);
    expect(html).toContain("<title>What changed in May | Chargeback Registry</title>");
    expect(html).toContain("<p>Search by <strong>phone</strong>.</p>");
    expect(html).toContain("42 views");
    expect(html).toContain(
      '<link rel="canonical" href="https://registry.test/blog/what-changed"/>',
    );
    expect(html).toContain('property="og:title" content="What changed in May"');
    const data = linkedData(html);
    expect(data["@type"]).toBe("WebPage");
    const { itemListElement } = data.breadcrumb;
    expect(itemListElement.map(({ name }: { name: string }) => name)).toEqual([
      "Home",
      "Blog",
      "What changed in May",
    ]);
    expect(html).not.toContain("Updated");
  });

  it("shows when it was updated on a later day", async () => {
    const updated_at = "2026-05-09T00:00:00.000Z";
    const { html } = await get("/blog/what-changed", { [POST]: ok(anArticle({ updated_at })) });
    expect(html).toContain('Updated <time dateTime="2026-05-09T00:00:00.000Z">May 9, 2026</time>');
  });

  it("shows HTML in its title as text", async () => {
    const title = '</title><script>alert("x")</script>';
    const { html } = await get("/blog/what-changed", { [POST]: ok(anArticle({ title })) });
    expect(html).not.toContain("<script>alert");
  });

  it.each([
    [refusal(404, "not_found", "No"), 404, "Post not found"],
    [refusal(400, "invalid_request", "No"), 404, "Post not found"],
    [refusal(410, "content_deleted", "Gone"), 410, "This post was removed"],
    [undefined, 503, "Failed to load this page"],
    [refusal(429, "too_many_requests", "Wait"), 429, "Too many requests"],
  ])("shows an error page if the registry returns %j", async (answer, expected, heading) => {
    const { html, status } = await get("/blog/what-changed", { [POST]: answer });
    expect(status).toBe(expected);
    expect(html).toContain(`>${heading}</h1>`);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });
});

describe("a custom page", () => {
  it("has its own URL, its date and its place below the home page", async () => {
    const { html, status } = await get("/pages/about-us", {
      [PAGE]: ok(anArticle({ slug: "about-us", title: "About us" })),
    });
    expect(status).toBe(200);
    expect(html).toContain('<link rel="canonical" href="https://registry.test/pages/about-us"/>');
    expect(html).toContain("Updated");
    expect(html).not.toContain("All posts");
    expect(linkedData(html).breadcrumb.itemListElement).toHaveLength(2);
  });

  it("is linked from every page's footer, beside the blog", async () => {
    const pages = [{ slug: "about-us", title: "About <us>" }];
    const { html } = await get("/faq", {}, { config: { ...CONFIG, pages } });
    const footer = html.slice(html.indexOf("<footer"));
    expect(footer).toContain('href="/blog"');
    expect(footer).toMatch(/<a href="\/pages\/about-us"[^>]*>About &lt;us&gt;<\/a>/);
  });

  it("is a 410 if it was removed", async () => {
    const { html, status } = await get("/pages/about-us", {
      [PAGE]: refusal(410, "content_deleted", "Gone"),
    });
    expect(status).toBe(410);
    expect(html).toContain("This page was removed");
  });
});
