import Fastify from "fastify";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type Answer, aReport, fakeRegistry, ok, refusal } from "../../testing/fake-registry.ts";
import { openInter } from "./inter-text.ts";
import { type Card, createCardStore, pictureRoutes, reportCard, TooManyCards } from "./pictures.ts";

const FRAME = { product: "Chargeback Registry", host: "registry.test" };
const REPORT = "GET /prod/api/reports/quinn-harper";
const PICTURE = "/report/quinn-harper/picture.png";

async function site(answers: Readonly<Record<string, Answer>> = {}) {
  const { fetch } = fakeRegistry(answers);
  const app = Fastify();
  await pictureRoutes(app, {
    queryUrl: "http://query.test",
    publicUrl: "https://registry.test",
    productName: "Chargeback Registry",
    timeoutMs: 1000,
    fetch,
  });
  return app;
}

describe("a report's picture", () => {
  it("shows type, amount, place and date, and names no one", () => {
    const report = aReport();
    const card = reportCard(FRAME, report);
    expect(card).toMatchObject({
      above: "Chargeback report, total due",
      large: "$437.50",
      below: "Denver, CO · May 2, 2026",
    });
    const said = JSON.stringify(card);
    for (const kept of [
      report.first_name,
      report.last_name,
      report.title,
      report.description,
      report.seo_title,
      report.public_username,
      report.email,
    ])
      expect(said).not.toContain(kept);
  });

  it("is as green as the page of a report with the RESOLVED banner", () => {
    const { color } = reportCard(FRAME, aReport({ resolved: true }));
    expect(color).toBe(reportCard(FRAME, aReport({ resolution_status: "resolved" })).color);
    expect(color).not.toBe(reportCard(FRAME, aReport()).color);
  });

  it("has the size that social networks show, and is sent once", async () => {
    const app = await site({ [REPORT]: ok(aReport()) });
    const reply = await app.inject(PICTURE);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers["cache-control"]).toBe("public, max-age=60");
    const { format, width, height } = await sharp(reply.rawPayload).metadata();
    expect({ format, width, height }).toEqual({ format: "png", width: 1200, height: 630 });
    const tag = String(reply.headers.etag);
    const again = await app.inject({ url: PICTURE, headers: { "if-none-match": tag } });
    expect(again.statusCode).toBe(304);
    const whole = await app.inject("/picture.png");
    expect(whole.headers.etag).not.toBe(tag);
  });

  it.each([404, 410, 429, 503])(
    "becomes unavailable when the report read fails with %i",
    async (status) => {
      const answers = [ok(aReport()), refusal(status, "gone", "Gone")];
      const app = await site({ [REPORT]: () => answers.shift() });
      expect((await app.inject(PICTURE)).statusCode).toBe(200);
      const reply = await app.inject(PICTURE);
      expect(reply.statusCode).toBe(status);
      expect(reply.headers["cache-control"]).toBe("no-store");
    },
  );

  it("is served to one address at most 120 times a minute", async () => {
    const app = await site();
    const statuses = new Set<number>();
    for (let n = 0; n < 120; n++) statuses.add((await app.inject("/picture.png")).statusCode);
    expect([...statuses]).toEqual([200]);
    const reply = await app.inject("/picture.png");
    expect(reply.statusCode).toBe(429);
    expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("the picture store", () => {
  const card = (n: number): Card => ({
    ...FRAME,
    above: "",
    large: String(n),
    below: "",
    color: "",
  });

  it("draws each picture once, one at a time, and rejects more than may wait", async () => {
    let running = 0;
    let drawn = 0;
    const held = Promise.withResolvers<void>();
    const store = createCardStore(async () => {
      running += 1;
      drawn += 1;
      expect(running).toBe(1);
      await held.promise;
      running -= 1;
      return Buffer.from("png");
    });
    const all = Array.from({ length: 40 }, (_, n) => store(card(n % 20)));
    const refused = Promise.allSettled(all);
    held.resolve();
    const reasons = (await refused).filter(({ status }) => status === "rejected");
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.every((it) => "reason" in it && it.reason instanceof TooManyCards)).toBe(true);
    await store(card(0));
    expect(drawn).toBeLessThanOrEqual(17);
  });

  it("caches a limited number of pictures, and no failures", async () => {
    const asked: string[] = [];
    let fails = true;
    const store = createCardStore(async ({ large }) => {
      asked.push(large);
      if (fails) throw new Error("no font");
      return Buffer.from("png");
    });
    await expect(store(card(0))).rejects.toThrow("no font");
    fails = false;
    for (let n = 0; n <= 200; n++) await store(card(n));
    await store(card(200));
    expect(asked).toHaveLength(202);
    await store(card(0));
    expect(asked).toHaveLength(203);
  });
});

it("clears the cache, if requested, before the next picture is sent", async () => {
  const site = Fastify();
  const removed: number[] = [];
  const caches: { clear(): number }[] = [];
  await pictureRoutes(site, {
    queryUrl: "http://query.test",
    publicUrl: "http://site.test",
    productName: "The Registry",
    timeoutMs: 1000,
    caches: { add: (cache) => caches.push(cache) },
    async siteFacts() {
      removed.push(...caches.map((cache) => cache.clear()));
      throw new Error("query-api is away");
    },
  });
  for (let n = 0; n < 2; n++)
    expect((await site.inject({ url: "/picture.png" })).statusCode).toBe(200);
  expect(removed).toEqual([0, 1]);
  await site.close();
});

describe("text as paths", () => {
  it("truncates long text, and transliterates letters missing from the typeface", async () => {
    const text = await openInter();
    const style = { x: 0, y: 0, size: 10, fill: "#000", width: 100 };
    const letters = (drawn: string) => drawn.match(/<path/g)?.length ?? 0;
    expect(letters(text("Łódź", style))).toBe(4);
    expect(letters(text("東", style))).toBe("Dong".length);
    expect(letters(text("x".repeat(500), style))).toBeLessThan(25);
    expect(text('"><script>', style)).not.toContain("script");
  });
});
