/** The services of `npm run dev`. This process restarts on every change. */
import { readLauncherConfig } from "./config.ts";
import { dataPaths } from "./data-folder.ts";
import { explainFailure } from "./explain-failure.ts";
import { describeInstance } from "./instance.ts";
import { openLogFile } from "./log-file.ts";
import { createOnePort } from "./one-port/one-port.ts";
import { openSecrets } from "./secrets.ts";
import { serve } from "./serve.ts";

const started = new AsyncDisposableStack();
const begin = performance.now();
process.on("SIGTERM", () => void end(0));
process.on("disconnect", () => void end(0));

try {
  const config = readLauncherConfig();
  const paths = dataPaths(config.dataDir);
  const logFile = await openLogFile(paths.log);
  started.defer(() => logFile.close());
  const secrets = await openSecrets(paths, { masterKey: config.variables.MASTER_KEY });
  const instance = describeInstance({
    config,
    port: config.port,
    secrets,
    postgresUrl: undefined,
    logFile,
    hasRoles: process.argv.includes("--own-roles"),
    storesAreEmbedded: process.argv.includes("--embedded-stores"),
  });
  const onePort = createOnePort({ host: config.host, port: config.port });
  const { notes } = await serve(instance, onePort, () => undefined, started, { liveReload: true });
  started.defer(() => onePort.drain(300));
  console.log(
    `  services: ready after ${((performance.now() - begin) / 1000).toFixed(1)} s at ${instance.url}/ (console: /admin, API: /docs, emails: /outbox)`,
  );
  for (const note of notes) console.log(note);
} catch (error) {
  console.error(explainFailure(error));
  await end(1);
}

async function end(code: number): Promise<void> {
  setTimeout(() => process.exit(code), 5000).unref();
  await started.disposeAsync().catch(() => undefined);
  process.exit(code);
}
