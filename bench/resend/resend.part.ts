import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Answer, createExchange, type Exchange } from "../load/exchange.ts";
import { percentile } from "../load/rate.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import { makePerson, makeReport } from "../seeding/made-up-reports.ts";
import { Random } from "../seeding/random.ts";
import type { BenchStores } from "../stores.ts";
import type { System } from "../system.ts";
import { kolmogorovSmirnov } from "./kolmogorov-smirnov.ts";

const RUNS = 3;
/** Below this p, a run can tell right addresses from wrong ones. */
const LEAST_P = 0.01;
/** Pause before each try, so that leftover work of the one before does not blur it. */
const PAUSE_MS = 10;
/** Concurrent submits while a run is prepared. */
const CONNECTIONS = 8;

/** A report that is not verified, and the address to send for it. */
interface Try {
  readonly id: string;
  readonly email: string;
  readonly isRight: boolean;
}

/** Milliseconds of the requests, for right and for wrong addresses. */
interface Times {
  readonly right: number[];
  readonly wrong: number[];
}

/** Times of a run: of the requests themselves, and of the trivial request after each. */
interface Run {
  readonly resend: Times;
  readonly next: Times;
}

/**
 * Whether the time of a reply tells if the address is the reporter's. Right and wrong addresses are
 * sent in random order, each for its own report, over one connection.
 * @throws Error if status, body, or the names or lengths of headers differ between replies.
 */
export async function* resendRows(
  system: System,
  { profile }: BenchStores,
  { tries, seed }: BenchOptions,
): AsyncGenerator<Row> {
  const random = new Random(seed);
  const many = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const one = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const runs: Run[] = [];
  try {
    for (let n = 0; n < RUNS; n += 1) {
      const prepared = await prepare(createExchange(system.url, many), random, tries);
      runs.push(await run(createExchange(system.url, one), prepared));
    }
  } finally {
    many.destroy();
    one.destroy();
  }
  const measured = { resend: "resend, right and wrong address", next: "request after a resend" };
  for (const [of, name] of Object.entries(measured))
    yield rowOfTimes(
      name,
      profile.name,
      runs.map((run) => run[of as keyof Run]),
    );
}

/**
 * Submits a report for each try. @returns as many right addresses as wrong ones, in random order.
 */
async function prepare(exchange: Exchange, random: Random, tries: number): Promise<Try[]> {
  const submit = async (n: number): Promise<Try> => {
    // No address is used twice, because mails to one recipient are limited per day.
    const email = `office@shop${random.digits(9)}.example`;
    const body = { ...makeReport(random, makePerson(random)), reporter_email: email };
    const answer = await exchange({ method: "POST", path: "/prod/api/reports/submit", body });
    if (answer.status !== 200) throw new Error(`submit: ${answer.status} ${answer.body}`);
    const { data } = JSON.parse(answer.body) as { data: { id: string } };
    const isRight = n % 2 === 0;
    const wrong = `office@shop${random.digits(9)}.example`;
    return { id: data.id, email: isRight ? email : wrong, isRight };
  };
  const prepared = await Promise.all(Array.from({ length: 2 * tries }, (_, n) => submit(n)));
  return prepared
    .map((value) => ({ value, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

async function run(exchange: Exchange, prepared: readonly Try[]): Promise<Run> {
  const run: Run = { resend: { right: [], wrong: [] }, next: { right: [], wrong: [] } };
  let first: ReturnType<typeof shapeOf> | undefined;
  for (const { id, email, isRight } of prepared) {
    await delay(PAUSE_MS);
    const path = `/prod/api/reports/${id}/resend-verification`;
    const answer = await exchange({ method: "POST", path, body: { email } });
    const next = await exchange({ method: "GET", path: "/healthz" });
    const kind = isRight ? "right" : "wrong";
    run.resend[kind].push(answer.ms);
    run.next[kind].push(next.ms);
    const shape = shapeOf(answer);
    first ??= shape;
    if (answer.status !== 200 || !isDeepStrictEqual(shape, first))
      throw new Error(`answers differ: ${JSON.stringify(first)} and ${JSON.stringify(shape)}`);
  }
  return run;
}

/**
 * What must be the same in all replies. Of headers it is the length: their values are dates and
 * random.
 */
function shapeOf({ status, body, rawHeaders }: Answer) {
  return { status, body, headers: rawHeaders.map((text, n) => (n % 2 === 0 ? text : text.length)) };
}

function rowOfTimes(name: string, profile: string, runs: readonly Times[]): Row {
  const tests = runs.map(({ right, wrong }) => kolmogorovSmirnov(right, wrong));
  const all = (kind: keyof Times) => runs.flatMap((run) => run[kind]);
  const both = [...all("right"), ...all("wrong")];
  return rowOf({
    name,
    profile,
    value: Number(Math.min(...tests.map(({ p }) => p)).toPrecision(3)),
    unit: `least p of ${runs.length}`,
    p50: rounded(percentile(both, 0.5), 2),
    p99: rounded(percentile(both, 0.99), 2),
    target: { of: "value", atLeast: LEAST_P },
    detail: {
      tries: runs[0]?.right.length ?? 0,
      p: tests.map(({ p }) => p.toPrecision(3)).join(", "),
      d: tests.map(({ d }) => rounded(d, 4)).join(", "),
      rightP50: rounded(percentile(all("right"), 0.5), 3),
      wrongP50: rounded(percentile(all("wrong"), 0.5), 3),
    },
  });
}
