/**
 * `npm run bench`: how much the registry does in a second, on its own stores; see
 * docs/benchmarks.md.
 */
import { appendFile, writeFile } from "node:fs/promises";
import { readArguments } from "#runtime/lifecycle/usage.ts";
import { releaseReactions } from "#services/projector/reactions/outbox/release.ts";
import { type Profile, readProfiles } from "./config.ts";
import { fileRows } from "./files/files.part.ts";
import { hostileRows } from "./hostile/hostile.part.ts";
import { mailRows } from "./mails/mails.part.ts";
import { type BenchOptions, readOptions, USAGE } from "./options.ts";
import { readRows } from "./reads/reads.part.ts";
import { reportedMostRows } from "./reads/reported-most.ts";
import { rebuildRows, runRebuild } from "./rebuild/rebuild.part.ts";
import { resendRows } from "./resend/resend.part.ts";
import { type Row, tableOf } from "./row.ts";
import { seed } from "./seeding/seed.ts";
import { type BenchStores, startStores } from "./stores.ts";
import { submitRows } from "./submits/submits.part.ts";
import { startSystem } from "./system.ts";
import { changesRow } from "./visible/changes.part.ts";
import { publishedRows } from "./visible/published.part.ts";
import { visibleRow } from "./visible/visible.part.ts";

const options = readArguments(USAGE, readOptions);
const started = new AsyncDisposableStack();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => void end(130));

try {
  if (options.json) await writeFile(options.json, "");
  const rows: Row[] = [];
  for (const profile of readProfiles())
    for await (const row of measure(profile, options)) {
      rows.push(row);
      const line = JSON.stringify(row);
      console.log(line);
      if (options.json) await appendFile(options.json, `${line}\n`);
    }
  console.log(`\n${tableOf(rows)}`);
  await end(0);
} catch (error) {
  console.error(error);
  await end(1);
}

/** Stops and removes everything that the run has started, then ends the process. */
async function end(code: number): Promise<never> {
  await started.disposeAsync().catch((error) => console.error(error));
  process.exit(code);
}

async function* measure(profile: Profile, options: BenchOptions): AsyncGenerator<Row> {
  const { parts } = options;
  say(`${profile.name}: starts the stores`);
  const stores = await startStores(profile, started);
  const events = await prepare(stores, options);
  say(`${profile.name}: rebuilds all read models from ${events} events`);
  const outcome = await runRebuild(stores, events, options.cpuProfile);
  if (parts.includes("rebuild")) yield* await rebuildRows(stores, outcome);
  if (parts.includes("mails")) {
    say(`${profile.name}: mails`);
    yield* mailRows(stores, started, options);
  }
  if (!parts.some((part) => part !== "rebuild" && part !== "mails")) return;
  const system = await startSystem("registry", stores, started, options.cpuProfile);
  if (parts.includes("reads")) {
    say(`${profile.name}: reads`);
    yield* readRows(system, stores, options);
    yield* reportedMostRows(stores, options);
  }
  if (parts.includes("visible")) {
    say(`${profile.name}: approves and searches`);
    yield await visibleRow(system, stores, options);
    say(`${profile.name}: approves and listens`);
    yield await changesRow(system, stores, options);
    say(`${profile.name}: publishes and opens pages`);
    yield* await publishedRows(system, stores, options);
  }
  if (parts.includes("hostile")) {
    say(`${profile.name}: hostile requests beside ordinary ones`);
    yield* hostileRows(system, stores, options);
  }
  if (parts.includes("resend")) {
    say(`${profile.name}: resends for right and wrong addresses`);
    yield* resendRows(system, stores, options);
  }
  if (parts.includes("files")) {
    say(`${profile.name}: uploads and downloads`);
    yield* fileRows(system, stores, options);
  }
  if (!parts.includes("submits")) return system.stop();
  say(`${profile.name}: submits to the whole registry`);
  yield* submitRows("registry", system, stores, options);
  say(`${profile.name}: submits to command-api alone`);
  const alone = await startSystem("command-api", stores, started, options.cpuProfile);
  yield* submitRows("command-api", alone, stores, options);
}

/** Fills the log. @returns how many events it holds. */
async function prepare(stores: BenchStores, options: BenchOptions): Promise<number> {
  say(`${stores.profile.name}: writes ${options.events} events`);
  const opened = await stores.open();
  try {
    const events = await seed(opened, options);
    // The generated history must not send mails, so its reactions are dropped.
    await releaseReactions(opened, "drop");
    return events;
  } finally {
    await opened.close();
  }
}

function say(line: string): void {
  console.error(`  ${line}`);
}
