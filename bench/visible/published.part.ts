import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "../load/rate.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import type { BenchStores } from "../stores.ts";
import type { System } from "../system.ts";
import { createCaller } from "./caller.ts";

const TEXTS = "/prod/api/admin/content";
const POLL_MS = 5;
/** Pages wait up to a second for the footer, so fewer publications are followed than approvals. */
const MOST_SAMPLES = 60;
/** A publication that no page shows within this time fails the run. */
const LIMIT_MS = 30_000;
/** What is published must be on the site within this time. */
const TARGET_MS = 2_000;

interface After {
  readonly id: string;
  readonly revision: number;
}

/** Time from the reply to a publication until the site's own pages have it. */
export async function publishedRows(
  system: System,
  stores: BenchStores,
  { samples }: BenchOptions,
): Promise<Row[]> {
  let busy = 0;
  const call = createCaller(system.url, await system.signIn(), () => {
    busy += 1;
  });
  const words = (title: string) => ({ title, description: "What it is about", body: title });
  const slug = "bench";
  const created = await call<After>("POST", TEXTS, { kind: "page", slug, ...words("Title 0") });
  const { id } = created;
  let { revision } = created;
  const times: Record<string, number[]> = { [`/pages/${slug}`]: [], "/faq": [] };
  for (let n = 1; n <= Math.min(samples, MOST_SAMPLES); n += 1)
    for (const [path, measured] of Object.entries(times)) {
      const title = `Title ${n} of ${path.slice(1)}`;
      ({ revision } = await call<After>("PUT", `${TEXTS}/${id}`, { revision, ...words(title) }));
      ({ revision } = await call<After>("POST", `${TEXTS}/${id}/publish`, { revision }));
      measured.push(await untilShown(system.url + path, title, performance.now()));
    }
  return [
    ["publication to its page", times[`/pages/${slug}`]] as const,
    ["publication to every footer", times["/faq"]] as const,
  ].map(([name, measured = []]) => {
    const p50 = rounded(percentile(measured, 0.5));
    return rowOf({
      name,
      profile: stores.profile.name,
      value: p50,
      unit: "ms",
      p50,
      p99: rounded(percentile(measured, 0.99)),
      target: { of: "p99", atMost: TARGET_MS },
      detail: { samples: measured.length, busy, longest: rounded(Math.max(...measured)) },
    });
  });
}

/**
 * Opens the page like a visitor, again and again.
 * @returns milliseconds since `start`.
 */
async function untilShown(url: string, title: string, start: number): Promise<number> {
  for (;;) {
    const asked = performance.now();
    const html = await (await fetch(url)).text();
    const now = performance.now();
    if (html.includes(title)) return now - start;
    if (now - start > LIMIT_MS) throw new Error(`${url} did not show it within ${LIMIT_MS} ms`);
    await delay(Math.max(0, POLL_MS - (now - asked)));
  }
}
