/** `npm run dev`: like `npm start`, but restarts services, rebuilds and reloads pages when files change. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import path from "node:path";
import { untilParentEnds } from "#runtime/lifecycle/parent.ts";
import { buildApps, webApps } from "./build-apps.ts";
import { developmentEnvironment, readLauncherConfig, startedByNpm } from "./config.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Instance } from "./instance.ts";
import { openInstance } from "./launcher.ts";
import { prepareStores } from "./serve.ts";

const root = path.resolve(import.meta.dirname, "..");
const watched = ["contracts", "packages", "services", "web-public", "web-admin", "launcher"];
const ignored = /(^|[\\/])(node_modules|dist|\.dist-[^\\/]*)([\\/]|$)|\.test\.tsx?$|~$/;
/** An editor may write several files together. */
const settleMs = 150;

const say = (line: string) => console.log(`  ${line}`);
const stop = new AbortController();
const opened = new AsyncDisposableStack();
let services: ChildProcess | undefined;
let restarting: Promise<void> = Promise.resolve();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void end(0));
untilParentEnds(startedByNpm(), () => void end(0));

try {
  const config = readLauncherConfig();
  console.log("Chargeback registry, for development");
  let built: Promise<unknown> | undefined;
  const { instance, port, failed } = await openInstance(config, say, opened, {
    beside() {
      built = build();
      built.catch(() => undefined);
    },
  });
  void failed.then((reason) => {
    console.error(reason.message);
    return end(1);
  });
  await prepareStores(instance, say);
  await built;
  startServices(instance, port);
  watchSources(() => {
    restarting = restarting.then(() => restart(instance, port));
  });
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(explainFailure(error));
    await end(1);
  }
}

function build(): Promise<boolean> {
  return buildApps(say, { signal: stop.signal, apps: webApps, isQuick: true });
}

function startServices(instance: Instance, port: number): void {
  if (stop.signal.aborted) return;
  const flags = [
    ...(instance.storesAreEmbedded ? ["--embedded-stores"] : []),
    ...(instance.servicePasswords ? ["--own-roles"] : []),
  ];
  const child = fork(path.join(import.meta.dirname, "dev-services.ts"), flags, {
    cwd: root,
    env: developmentEnvironment(instance, port),
    // Ctrl-C reaches the whole process group, but the parent decides when services stop.
    detached: process.platform !== "win32",
  });
  services = child;
  child.once("exit", (code, signal) => {
    if (services !== child) return;
    services = undefined;
    console.error(
      `The services exited (${signal ?? code}). They will restart after the next change.`,
    );
  });
}

async function stopServices(): Promise<void> {
  const child = services;
  services = undefined;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

async function restart(instance: Instance, port: number): Promise<void> {
  try {
    await build();
  } catch (error) {
    if (!stop.signal.aborted) console.error(explainFailure(error));
    return;
  }
  await stopServices();
  startServices(instance, port);
}

function watchSources(onChange: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of watched) {
    const watcher = watch(path.join(root, folder), { recursive: true }, (_event, file) => {
      if (file && ignored.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, settleMs);
    });
    opened.defer(() => watcher.close());
  }
}

async function end(code: number): Promise<void> {
  if (stop.signal.aborted) return;
  stop.abort();
  setTimeout(() => process.exit(1), 9500).unref();
  await restarting;
  await stopServices();
  await opened.disposeAsync().catch((error) => console.error(explainFailure(error)));
  process.exit(code);
}
