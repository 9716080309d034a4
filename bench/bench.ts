/** `npm run bench`: measures the registry's throughput on its own stores; see docs/benchmarks.md. */
import { readArguments } from "#runtime/lifecycle/usage.ts";
import { releaseReactions } from "#services/projector/reactions/outbox/release.ts";
import { type Profile, readProfiles } from "./config.ts";
import { type BenchOptions, type PartName, readOptions, USAGE } from "./options.ts";
import { hostileRows } from "./parts/hostile.ts";
import { mailRows } from "./parts/mails.ts";
import { queueRows } from "./parts/queue.ts";
import { readRows } from "./parts/reads.ts";
import { rebuildRows } from "./parts/rebuild.ts";
import { submitRows } from "./parts/submits.ts";
import { visibleRows } from "./parts/visible.ts";
import type { Row } from "./row.ts";
import { seed } from "./seed.ts";
import { startStores } from "./stores.ts";
import { startSystem } from "./system.ts";

const COLUMNS = "profile name value unit baseline baselineName ratio p50 p99 met".split(" ");

const options = readArguments(USAGE, readOptions);
const started = new AsyncDisposableStack();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => void end(130));

try {
  const rows: Row[] = [];
  for (const profile of readProfiles())
    for await (const row of measure(profile, options)) {
      rows.push(row);
      console.log(JSON.stringify(row));
    }
  console.table(rows, COLUMNS);
  await end(0);
} catch (error) {
  console.error(error);
  await end(1);
}

/** Stops and removes everything the run has started, then ends the process. */
async function end(code: number): Promise<never> {
  await started.disposeAsync().catch((error) => console.error(error));
  process.exit(code);
}

async function* measure(profile: Profile, options: BenchOptions): AsyncGenerator<Row> {
  const say = (line: string) => console.error(`  ${profile.name}: ${line}`);
  const parts = new Set<PartName>(options.parts);
  say("starting the stores");
  const stores = await startStores(profile, started);
  {
    await using closing = new AsyncDisposableStack();
    const opened = await stores.open();
    closing.defer(() => opened.close());
    say(`writes ${options.events} events`);
    const events = await seed(opened, options.events);
    // The generated history must not send emails, so its reactions are dropped.
    await releaseReactions(opened, "drop");
    say(`rebuilding all read models from ${events} events`);
    const rows = await rebuildRows(stores, opened, events);
    if (parts.delete("rebuild")) yield* rows;
  }
  if (parts.delete("mails")) {
    say("mails");
    yield* mailRows(stores, started, options);
  }
  if (parts.size === 0) return;
  const system = await startSystem("launcher", stores, started);
  for (const [part, rowsOf] of [
    ["reads", readRows],
    ["visible", visibleRows],
    ["queue", queueRows],
    ["hostile", hostileRows],
  ] as const)
    if (parts.has(part)) {
      say(part);
      yield* rowsOf(system, stores, options);
    }
  if (!parts.has("submits")) return system.stop();
  say("submits to the whole registry");
  yield* submitRows("launcher", system, stores, options);
  say("submissions to command-api only");
  const alone = await startSystem("command-api", stores, started);
  yield* submitRows("command-api", alone, stores, options);
}
