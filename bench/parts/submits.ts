import { randomUUID } from "node:crypto";
import type { EventToAppend } from "#event-store/port.ts";
import { closedLoop, httpLoad } from "../load.ts";
import { Random, uniqueReport } from "../made-up-reports.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rateRow } from "../row.ts";
import type { BenchStores } from "../stores.ts";
import type { Program, System } from "../system.ts";

/** Number of different submissions, sent repeatedly, and of stored events that bare appends repeat. */
const EXAMPLES = 500;

/**
 * Measures submissions over HTTP, compared with bare appends of the same bytes to new streams, whose names
 * have the same length and belong to no aggregate.
 * @param system is stopped before the bare appends, so that nothing else uses the machine.
 */
export async function* submitRows(
  program: Program,
  system: System,
  stores: BenchStores,
  { seconds, connections: levels }: BenchOptions,
): AsyncGenerator<Row> {
  const random = new Random();
  const bodies = Array.from({ length: EXAMPLES }, () => uniqueReport(random).body);
  const { store, close } = await stores.open();
  try {
    const before = await store.head();
    const loads = levels.map((connections) => ({ connections, seconds }));
    const rates = [];
    for (const load of loads) {
      const rate = await httpLoad(system.url, load, (n) => ({
        method: "POST",
        path: "/prod/api/reports/submit",
        body: bodies[n % EXAMPLES] as object,
      }));
      rates.push({ load, rate });
    }
    await system.stop();
    const stored: EventToAppend[] = [];
    const filter = { types: ["ReportSubmitted"] };
    for await (const event of store.readAll(before, filter, { limit: EXAMPLES })) {
      const { id, type, data, metadata } = event;
      stored.push({ id, type, data, metadata });
    }
    for (const { load, rate } of rates) {
      const bare = await closedLoop(load, async (n) => {
        const event = { ...(stored[n % stored.length] as EventToAppend), id: randomUUID() };
        await store.append(`sample-${randomUUID()}`, [event], "no_stream");
      });
      const side = program === "launcher" ? "npm start" : "command-api alone";
      const name = `submits, connections: ${load.connections}, ${side}`;
      const target = { of: "ratio", atLeast: 0.25 } as const;
      const named = { name, profile: stores.profile, unit: "submits/s", target };
      yield rateRow({ ...named, baselineName: "bare appends" }, rate, bare);
    }
  } finally {
    await close();
  }
}
