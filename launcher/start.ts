/** `npm start`: the whole registry in one process on one port. An admin's restart replaces the program in place. */
import { untilParentEnds } from "#runtime/lifecycle/parent.ts";
import { buildApps } from "./build-apps.ts";
import { environmentAt, readLauncherConfig, showsOutbox, startedByNpm } from "./config.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Launched } from "./launcher.ts";

/** Time limit from the signal to the end of the process. */
const stopLimitMs = 9500;

const started = performance.now();
const stop = new AbortController();
let launched: Launched | undefined;
let failing = false;
let isRestarting = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    // Whoever stops it does not want a restart.
    isRestarting = false;
    beginStop();
  });
// A closed terminal rejects further output, which must not cause a failure.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
process.on("uncaughtException", (error) => fail(error));
process.on("unhandledRejection", (error) => fail(error));
untilParentEnds(startedByNpm(), beginStop);

try {
  const config = readLauncherConfig();
  console.log("Chargeback registry");
  console.log(`  data folder: ${config.dataDir}`);
  const { launch } = await import("./launcher.ts");
  launched = await launch(
    config,
    (line) => console.log(`  ${line}`),
    stop.signal,
    process.execve ? beginRestart : undefined,
  );
  const { url, notes } = launched;
  console.log(`Ready after ${((performance.now() - started) / 1000).toFixed(1)} s.\n`);
  console.log(`Site:     ${url}/`);
  console.log(`Console:  ${url}/admin`);
  console.log(`API:      ${url}/docs`);
  console.log(
    showsOutbox(config)
      ? `Email:    ${url}/outbox`
      : `Email:    files in ${config.dataDir}/mail (shown at /outbox only while the registry is reachable from this machine alone)`,
  );
  for (const note of notes) console.log(note);
  console.log("\nPress Ctrl-C to stop.");
  void launched.failed.then(fail);
  // Speed up the next start in the background: smaller files for browsers, and bundled programs.
  void buildApps(() => undefined, { signal: stop.signal }).catch(() => undefined);
  if (stop.signal.aborted) await finish(launched);
} catch (error) {
  // A stopped launch may fail with any error of its current step.
  if (stop.signal.aborted) process.exit(0);
  fail(error);
}

/** A second signal has no effect: the shutdown already under way continues. */
function beginStop(): void {
  if (stop.signal.aborted) return;
  console.log("\nStopping: requests and jobs in progress are finished first.");
  stop.abort();
  setTimeout(() => {
    console.error("Not everything was finished in time; the next start continues with it.");
    process.exit(1);
  }, stopLimitMs).unref();
  if (launched) void finish(launched);
}

function beginRestart(): void {
  if (stop.signal.aborted) return;
  isRestarting = true;
  console.log("\nRestarting at an admin's request.");
  beginStop();
}

async function finish(running: Launched): Promise<void> {
  try {
    await running.stop();
    console.log("Stopped.");
    if (isRestarting) startAgain(running.url);
    process.exit(0);
  } catch (error) {
    fail(error);
  }
}

/** Replaces the program in the same process, so that anything waiting for this process keeps waiting. */
function startAgain(url: string): void {
  const env = environmentAt(Number(new URL(url).port || 80));
  process.execve?.(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    env,
  );
}

/** Prints the reason in one sentence, stops what it can, and exits with code 1. */
function fail(error: unknown): void {
  if (failing) return;
  failing = true;
  console.error(explainFailure(error));
  setTimeout(() => process.exit(1), stopLimitMs).unref();
  Promise.resolve(launched?.stop()).then(
    () => process.exit(1),
    () => process.exit(1),
  );
}
