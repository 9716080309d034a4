import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { sealedPositions } from "#http/position-headers.ts";
import { forFile } from "#test-kit/for-file.ts";
import { at, EPOCH, startQueryApi } from "../testing/query-api.fixture.ts";

const OTHER_EPOCH = "0e0c4f00-0000-4000-8000-0000000000ff";
const RECENT = "/prod/api/reports/recent";

const service = forFile(() => startQueryApi());
beforeEach(async () => {
  await service.db.query("truncate processor.parked_stream, processor.checkpoint, reports.report");
});

const header = (n: number, epoch = EPOCH) => service.positions.seal({ epoch, position: at(n) });
const named = (reply: { headers: Record<string, unknown> }) =>
  service.positions.open(reply.headers["x-position"] as string);
const approve = (slug: string) => service.addReport({ slug, status: "approved" });
const read = (url: string, min?: string, as: "visitor" | "admin" = "visitor") =>
  service.get(url, { as, ...(min === undefined ? {} : { headers: { "x-min-position": min } }) });

/**
 * The largest number of reads that waited at the same time. Each wait lasts longer than a turn of the
 * event loop, so none is missed.
 */
async function mostWaiting<T>(work: Promise<T>): Promise<[T, number]> {
  let [most, ended] = [0, false];
  const settled = work.finally(() => {
    ended = true;
  });
  while (!ended) {
    most = Math.max(most, service.api.waitingReads());
    await turn();
  }
  return [await settled, most];
}

describe("a read with a minimum position", () => {
  it("responds immediately if the data is fresh enough, with its position", async () => {
    await service.moveTo(7);
    await service.moveTo(9, ["reports"]);
    const reply = await read(RECENT, header(7));
    expect(named(reply)).toEqual({ epoch: EPOCH, position: at(7) });
    expect(reply.headers).not.toHaveProperty("x-stale");
  });

  it("waits for every processor that feeds it, and then shows the write", async () => {
    await service.moveTo(7);
    const reading = read("/prod/api/reports/quinn-new", header(8));
    await expect.poll(() => service.api.waitingReads()).toBe(1);
    await approve("quinn-new");
    await service.moveTo(8, ["audit", "reports"]);
    expect(service.api.waitingReads()).toBe(1);
    await service.moveTo(8, ["offenders"]);
    const reply = await reading;
    expect(reply.statusCode).toBe(200);
    expect(named(reply)?.position).toBe(at(8));
    expect(reply.headers).not.toHaveProperty("x-stale");
  });

  it("waits for a position sealed with the previous key", async () => {
    await service.moveTo(8);
    const [of9, former] = [header(9), (await service.keys.liveKey("positions")).current()];
    const under = sealedPositions({ current: () => former, all: () => [former] });
    await service.keys.replaceServiceKey("positions", 0);
    const answered = async () => under.open((await read(RECENT)).headers["x-position"] as string);
    await expect.poll(answered).toBeUndefined();
    const reading = read(RECENT, of9);
    await expect.poll(() => service.api.waitingReads()).toBe(1);
    await service.moveTo(9);
    const reply = await reading;
    expect(reply.headers).not.toHaveProperty("x-stale");
    await expect.poll(() => named(reply)).toMatchObject({ position: at(9) });
  });

  it("times out with stale data, marked as such, and the next read does not wait", async () => {
    await service.moveTo(12);
    await approve("still-here");
    const [reply, waited] = await mostWaiting(read(RECENT, header(13)));
    expect(waited).toBe(1);
    expect(reply.json().data).toHaveLength(1);
    expect(reply.headers).toMatchObject({ "x-stale": "true" });
    expect(named(reply)?.position).toBe(at(12));

    const [again, quick] = await mostWaiting(read(RECENT, header(14)));
    expect(quick).toBe(0);
    expect(again.headers["x-stale"]).toBe("true");
  });

  it.each(["7", `${EPOCH}:${"7".padStart(20, "0")}`, "a".repeat(150), "b".repeat(5000)])(
    "responds immediately, marked as stale, if the header is %s",
    async (value) => {
      await service.moveTo(9);
      const [reply, waited] = await mostWaiting(read(RECENT, value));
      expect([waited, reply.statusCode, reply.headers["x-stale"]]).toEqual([0, 200, "true"]);
    },
  );

  it("does not reveal the log's head: no two replies carry the same position", async () => {
    await service.moveTo(9);
    const sealed = await Promise.all([1, 2, 3].map(async () => (await read(RECENT)).headers));
    const texts = sealed.map((headers) => String(headers["x-position"]));
    expect(new Set(texts).size).toBe(3);
    expect(new Set([...texts, header(123_456_789)].map((text) => text.length)).size).toBe(1);
    for (const text of texts) expect(text).not.toContain(EPOCH.slice(0, 8));
  });

  it("responds without a position while a processor has none", async () => {
    await service.moveTo(3, ["reports"]);
    const reply = await read(RECENT);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).not.toHaveProperty("x-position");
  });
});

describe("a parked stream", () => {
  const park = (processor: string, stream: string) =>
    service.db.query(
      "insert into processor.parked_stream (processor, stream, position) values ($1, $2, $3)",
      [processor, stream, "0".repeat(20)],
    );

  it("marks reads of that report, and lists that may include it, as stale", async () => {
    await service.moveTo(7);
    const parked = await approve("parked-one");
    const other = await approve("another-one");
    await park("offenders", `report-${parked}`);
    const isStale = async (url: string) =>
      (await read(url, undefined, "admin")).headers["x-stale"] === "true";
    for (const url of [
      "/prod/api/reports/parked-one",
      `/prod/api/admin/reports/${parked}`,
      `/prod/admin/reports/${parked}`,
      RECENT,
      "/prod/api/reports/search",
      "/prod/api/habitual-offenders",
      "/prod/admin/reports",
      "/prod/api/admin/analytics",
    ])
      expect([url, await isStale(url)]).toEqual([url, true]);
    for (const url of [
      "/prod/api/reports/another-one",
      `/prod/api/admin/reports/${other}`,
      "/prod/api/admin/audit-logs",
    ])
      expect([url, await isStale(url)]).toEqual([url, false]);
  });

  it("does not affect reads that other processors feed", async () => {
    await service.moveTo(7);
    await approve("fed-elsewhere");
    await park("outbox", "report-x");
    expect((await read(RECENT)).headers).not.toHaveProperty("x-stale");
  });
});

/**
 * Reads that wait for no position: samples are the operator's, figures are cached for a minute, sitemaps
 * may be as old, the change stream has its own positions, an email link leads to another page, and
 * templates are read from the log.
 */
const WITHOUT_POSITION = new Set([
  "/prod/api/admin/saved-filters",
  "/prod/api/system/jobs",
  "/prod/api/system/jobs/:id",
  "/prod/api/admin/changes",
  "/prod/api/samples",
  "/prod/api/sitemap/content",
  "/prod/api/figures",
  "/prod/api/sitemap",
  "/prod/api/system/backups",
  "/prod/api/system/status",
  "/prod/api/unsubscribe/:token",
  "/prod/api/admin/templates",
  "/prod/api/admin/templates/:kind/:id",
  "/prod/api/admin/templates/:kind/:id/versions/:revision",
]);

it("every read of the API waits for the given position", async () => {
  await service.moveTo(7);
  const routes = service.api.app.routeTable.filter(({ url }) => url.startsWith("/prod/"));
  expect(routes.length).toBeGreaterThan(10);
  for (const { url } of routes) {
    if (WITHOUT_POSITION.has(url)) continue;
    const path = url
      .replace(/:id|:copyId/g, "7a1e5a7e-0000-4000-8000-000000000000")
      .replace(":seoTitle", "x")
      .replace(/same-order$/, "same-order?order=1")
      .replace(":slug", "terms")
      .replace(":revision", "0");
    const reply = await read(path, header(1, OTHER_EPOCH), "admin");
    expect([url, reply.headers["x-stale"]]).toEqual([url, "true"]);
  }
});
