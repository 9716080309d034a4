import { afterAll, beforeAll, expect, it } from "vitest";
import { type Fixture, startQueryApi } from "../testing/query-api.fixture.ts";

let service: Fixture;
beforeAll(async () => {
  service = await startQueryApi();
});
afterAll(() => service.close());

it("answers the frequent questions in their order, with answers as HTML", async () => {
  const { statusCode, body } = await service.get("/prod/api/faq");
  expect(statusCode).toBe(200);
  const { data } = JSON.parse(body);
  expect(data).toHaveLength(10);
  expect(data[0]).toMatchObject({ id: "what-is-the-registry", order: 1 });
  expect(data[0].question).toBe("What is Chargeback Registry?");
  expect(data[0].answer).toMatch(/^<p>A public registry/);
});

it("answers a legal page with its version and date", async () => {
  const { data } = (await service.get("/prod/api/content/privacy")).json();
  expect(data).toMatchObject({ slug: "privacy", title: "Privacy Policy", version: "2026-11-23" });
  expect(data.html).toContain('href="mailto:support@registry.test"');
});

it.each(["nothing", "..%2Flegal%2Fterms", "__proto__", "terms.md"])(
  "answers 404 for the text %s",
  async (slug) => {
    const reply = await service.get(`/prod/api/content/${slug}`);
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ success: false, error: { code: "not_found" } });
  },
);
