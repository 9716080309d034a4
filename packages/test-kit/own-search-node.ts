import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { prepareNode, whyNoNode } from "#local-servers/opensearch/programs.ts";
import { startSearchNode } from "#local-servers/opensearch/search-node.ts";
import { freePort } from "#local-servers/postgres/server.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { makeOwnedFolder, removeAbandoned } from "./abandoned.ts";
import { freeze } from "./freeze.ts";

/** An OpenSearch node for one suite that stops and restarts it. */
export type OwnSearchNode = {
  /** The same across restarts. */
  url: string;
  /** SIGKILL, as in a crash. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open, but nothing answers. */
  freeze(): Promise<void>;
  /** SIGCONT. */
  thaw(): void;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  /** Removes all of its data. Call it while the node is not running. */
  wipe(): Promise<void>;
  /** Stops it for good and removes its data. */
  dispose(): Promise<void>;
};

const prefix = "registry-test-opensearch-";

/** Why no node can be started here; undefined if one can. Builds what a node needs, once. */
export async function noOwnSearchNode(): Promise<string | undefined> {
  const absent = await whyNoNode();
  if (absent) return absent;
  try {
    await prepareNode(() => undefined);
    return undefined;
  } catch (error) {
    // Maven Central may be unreachable.
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/**
 * Starts a node on a free port. It takes about ten seconds of CPU time.
 *
 * @param within parent of its folder; the system's temporary folder when absent.
 */
export async function startOwnSearchNode(within = os.tmpdir()): Promise<OwnSearchNode> {
  // Their nodes ended with them.
  await removeAbandoned(os.tmpdir(), prefix);
  const folder = await makeOwnedFolder(within, prefix);
  const data = path.join(folder, "node");
  const port = await freePort();
  let node = await startSearchNode({ folder: data, port });
  const remove = (what: string) => rm(what, { recursive: true, force: true, maxRetries: 5 });
  return {
    url: node.url,
    kill: () => node.kill(),
    freeze: () => freeze(node.pid),
    thaw: () => void process.kill(node.pid, "SIGCONT"),
    async start() {
      node = await startSearchNode({ folder: data, port });
    },
    wipe: () => remove(data),
    async dispose() {
      await node.kill();
      await remove(folder);
    },
  };
}
