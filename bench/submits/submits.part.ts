import { randomUUID } from "node:crypto";
import type { EventToAppend, Position } from "#event-store/port.ts";
import type { ProjectorStores } from "#services/projector/composition.ts";
import { httpLoad } from "../load/http-load.ts";
import { closedLoop, type Load, type Rate } from "../load/rate.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rowOf } from "../row.ts";
import { makePerson, makeReport, uniqueLastName } from "../seeding/made-up-reports.ts";
import { Random } from "../seeding/random.ts";
import type { BenchStores } from "../stores.ts";
import type { Program, System } from "../system.ts";

/** Different submissions; each is sent again and again. */
const BODIES = 500;
/** Stored events that bare appends repeat. */
const COPIED = 500;
/** Submissions use last names from this number on, which the made-up history never does. */
const FIRST_NAME_NUMBER = 1_000_000;

/**
 * Submits over HTTP, compared with bare appends of the same events.
 * @param system is stopped before the bare appends, so that nothing else uses the machine.
 */
export async function* submitRows(
  program: Program,
  system: System,
  stores: BenchStores,
  { seconds, seed, connections: levels }: BenchOptions,
): AsyncGenerator<Row> {
  const bodies = makeBodies(seed);
  const opened = await stores.open();
  try {
    const before = await opened.store.head();
    const rates: { readonly load: Load; readonly rate: Rate }[] = [];
    for (const connections of levels) {
      const load = { connections, seconds };
      const rate = await httpLoad(system.url, load, (n) => ({
        method: "POST",
        path: "/prod/api/reports/submit",
        body: bodies[n % BODIES] as object,
      }));
      rates.push({ load, rate });
    }
    await system.stop();
    const stored = await submittedAfter(opened, before);
    for (const { load, rate } of rates)
      yield rowOfSubmits(program, stores, load, rate, await bareAppends(opened, stored, load));
  } finally {
    await opened.close();
  }
}

function makeBodies(seed: number): object[] {
  const random = new Random(seed);
  return Array.from({ length: BODIES }, (_, n) =>
    makeReport(random, makePerson(random, uniqueLastName(FIRST_NAME_NUMBER + n))),
  );
}

/** The events that the submits have stored, as examples of the bytes to append. */
async function submittedAfter(
  { store }: ProjectorStores,
  position: Position,
): Promise<EventToAppend[]> {
  const events: EventToAppend[] = [];
  const filter = { types: ["ReportSubmitted"] };
  for await (const event of store.readAll(position, filter, { limit: COPIED })) {
    const { id, type, data, metadata } = event;
    events.push({ id, type, data, metadata });
  }
  return events;
}

/**
 * Appends the same bytes to new streams, whose names have the same length and belong to no
 * aggregate.
 */
function bareAppends(
  { store }: ProjectorStores,
  events: readonly EventToAppend[],
  load: Load,
): Promise<Rate> {
  return closedLoop(load, async (n) => {
    const event = { ...(events[n % events.length] as EventToAppend), id: randomUUID() };
    await store.append(`sample-${randomUUID()}`, [event], "no_stream");
  });
}

function rowOfSubmits(
  program: Program,
  stores: BenchStores,
  { connections }: Load,
  rate: Rate,
  bare: Rate,
): Row {
  const side = program === "registry" ? "npm start" : "command-api alone";
  return rowOf({
    name: `submits, ${connections} connection${connections > 1 ? "s" : ""}, ${side}`,
    profile: stores.profile.name,
    value: rate.perSecond,
    unit: "submits/s",
    baseline: bare.perSecond,
    baselineName: "bare appends",
    p50: rate.p50,
    p99: rate.p99,
    target: { of: "ratio", atLeast: 0.25 },
    detail: { count: rate.count, refused: rate.refused, bareP50: bare.p50, bareP99: bare.p99 },
  });
}
