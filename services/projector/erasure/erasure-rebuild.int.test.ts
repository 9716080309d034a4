import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { forTest } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportDeleted,
  reportErased,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import type { Projector } from "../composition.ts";
import { openFixture } from "../testing/projector.fixture.ts";
import { readPages } from "../testing/raw-pages.ts";
import { ErasureRebuild } from "./erasure-rebuild.ts";
import { cleanErasedRows } from "./row-cleaner.ts";

const CANARY = "zqcanary";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const REBUILT = ["inquiries", "offenders", "reports", "search", "users"];

const fixture = forTest(openFixture);
/** The injected clock, in milliseconds since 1970. */
let now: number;

beforeEach(async () => {
  now = Date.now();
});

/** The rebuild that a projector's process creates, without its timer. */
function weekly({ processors }: Projector): ErasureRebuild {
  const { stores, log } = fixture;
  return new ErasureRebuild({ ...stores, processors, log, now: () => now });
}

const named = (last_name: string) => [
  reportSubmitted({ personal: { first_name: "Quinn", last_name, title: last_name } }),
  reportApproved(),
];

/** Deletes a report about the canary. @returns the deletion's time by the injected clock. */
async function erase(): Promise<string> {
  const [id, time] = [randomUUID(), new Date(now).toISOString()];
  await fixture.reached(await fixture.report(id, named(CANARY)));
  await fixture.reached(await fixture.report(id, [reportDeleted(), reportErased()], { time }));
  return time;
}

/** Lists relations whose files contain the canary's bytes, even if nothing refers to them. */
async function holding(): Promise<string[]> {
  const schemas = ["reports", "offenders", "search", "search_source"];
  const pages = await readPages(fixture, schemas);
  const found = pages.filter(({ bytes }) => bytes.includes(CANARY));
  return [...new Set(found.map(({ relation }) => relation))].sort();
}

const rebuilt = () =>
  fixture.logged.flatMap((line) => {
    const { msg, processor } = JSON.parse(line);
    return msg === "new tables are live" ? [processor] : [];
  });

const live = (projector: Projector) =>
  eventually("every processor is live", () =>
    projector.health().every(({ state }) => state === "live"),
  );

describe("a week after an erasure", () => {
  it("new files replace those with the erased bytes, once, and readers always see rows", async () => {
    const projector = await fixture.start();
    await fixture.reached(await fixture.report(randomUUID(), named("Stays")));
    const time = await erase();
    await cleanErasedRows(fixture.config.databaseUrl);
    expect(await holding()).toContain("reports.report");
    await live(projector);
    const first = weekly(projector);
    first.record([time]);
    now += 7 * DAY - HOUR;
    expect(await first.check()).toEqual([]);
    now += HOUR - 1;
    expect(await first.check()).toEqual([]);
    now += 1;
    const counts = new Set<number>();
    let looking = true;
    const reading = (async () => {
      while (looking) {
        const [row] = await fixture.rows<{ n: number }>(
          `select least((select count(*) from reports.report), (select count(*) from search.documents),
             (select count(*) from offenders.member))::int as n`,
        );
        counts.add(row?.n ?? -1);
      }
    })();
    expect([...(await first.check())].sort()).toEqual(REBUILT);
    looking = false;
    await reading;
    expect([...counts]).toEqual([1]);
    expect(await holding()).toEqual([]);
    await live(projector);
    // A restarted process reads the erasure again.
    const second = weekly(projector);
    second.record([time]);
    for (let days = 0; days < 3; days += 1) {
      now += DAY;
      expect([await first.check(), await second.check()]).toEqual([[], []]);
    }

    const later = await erase();
    await live(projector);
    for (const each of [first, second]) each.record([later]);
    now += 7 * DAY - HOUR;
    expect(await second.check()).toEqual([]);
    now += HOUR;
    expect([...(await second.check())].sort()).toEqual(REBUILT);
  });

  it("a busy log delays it by at most a day", async () => {
    const projector = await fixture.start();
    const each = weekly(projector);
    each.record([await erase()]);
    const busy = async () => fixture.reached(await fixture.report(randomUUID(), named("Busy")));
    now += 7 * DAY;
    expect(await each.check()).toEqual([]);
    now += HOUR;
    await busy();
    await live(projector);
    expect(await each.check()).toEqual([]);
    now += DAY - HOUR;
    await busy();
    await live(projector);
    expect(await each.check()).toHaveLength(REBUILT.length);
  });

  it("only the process that owns the tables rebuilds them", async () => {
    const owner = await fixture.start();
    const time = await erase();
    await live(owner);
    const other = await fixture.start();
    await other.ready();
    const both = [weekly(other), weekly(owner)];
    for (const each of both) each.record([time]);
    now += 8 * DAY;
    const done = await Promise.all(both.map((each) => each.check()));
    expect(done.map((names) => names.length)).toEqual([0, REBUILT.length]);
    expect(rebuilt().sort()).toEqual(REBUILT);
  });

  it("tables that an operator has rebuilt since are not rebuilt again", async () => {
    const projector = await fixture.start();
    const each = weekly(projector);
    each.record([await erase()]);
    now += 2 * DAY;
    await fixture.rebuild(["reports"], { now: () => now });
    await live(projector);
    now += 6 * DAY;
    expect([...(await each.check())].sort()).toEqual(REBUILT.filter((name) => name !== "reports"));
  });

  it("a projector does it by itself, and removes addresses that are long gone", async () => {
    await fixture.report(randomUUID(), [...named(CANARY), reportDeleted(), reportErased()], {
      time: new Date(now - 9 * DAY).toISOString(),
    });
    const ages = { "long gone": 31, "just gone": 29 };
    for (const [hash, days] of Object.entries(ages))
      await fixture.rows(
        `insert into address.slug values ($1, gen_random_uuid(),
           now() - make_interval(days => $2), '', '')`,
        [hash, days],
      );
    const before = await fixture.start();
    await live(before);
    await before.stop();
    // Tables created after the erasure contain none of it.
    expect(rebuilt()).toEqual([]);
    const addresses = () => fixture.rows("select slug_hash from address.slug where epoch = ''");
    expect(await addresses()).toEqual([{ slug_hash: "just gone" }]);
    await fixture.rows("update processor.checkpoint set rebuilt_at = null");
    await fixture.start();
    await eventually("new tables", () => rebuilt().length === REBUILT.length);
    expect(rebuilt().sort()).toEqual(REBUILT);
  });
});
