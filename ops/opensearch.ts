/** `npm run opensearch`: one OpenSearch node for this registry, until Ctrl-C or SIGTERM. */
import path from "node:path";
import { readLauncherConfig, startedByNpm } from "#launcher/config.ts";
import { explainFailure } from "#launcher/explain-failure.ts";
import { checkAddress } from "#launcher/one-port/one-port.ts";
import { type SearchNode, startSearchNode } from "#local-servers/opensearch/search-node.ts";
import { untilParentEnds } from "#runtime/lifecycle/parent.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { readArguments, textOptions, UsageError } from "#runtime/lifecycle/usage.ts";

const { port, data } = readArguments(
  "Usage: npm run opensearch [-- --port N] [--data FOLDER]",
  parse,
);

let node: SearchNode | undefined;
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop());
untilParentEnds(startedByNpm(), stop);

try {
  const folder = data ?? path.join(readLauncherConfig().dataDir, "opensearch");
  if (port > 0)
    await checkAddress({ host: "127.0.0.1", port }).catch(() => {
      throw new Refusal(`Port ${port} is taken or may not be used: name another one, -- --port N.`);
    });
  console.log(`OpenSearch, with its data in ${folder}`);
  node = await startSearchNode({ folder, port, say: (line) => console.log(`  ${line}`) });
  console.log(`\nSEARCH_URL=${node.url} npm start\n\nPress Ctrl-C to stop.`);
  const { exited, logFile } = node;
  const { code, signal } = await exited;
  if (!stopping)
    throw new Refusal(`OpenSearch ended (${signal ?? `exit code ${code}`}), see ${logFile}.`);
} catch (error) {
  if (!stopping) {
    console.error(explainFailure(error));
    process.exitCode = 1;
  }
}

function parse(args: readonly string[]) {
  const { port = "9200", data } = textOptions(args, ["port", "data"]);
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port must be a number up to 65535, not ${JSON.stringify(port)}.`);
  return { port: Number(port), data };
}

function stop(): void {
  stopping = true;
  if (node) void node.stop();
  // The node exits with this process.
  else process.exit(0);
}
