import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { testServerUrl } from "./config.ts";
import { noOwnSearchNode, type OwnSearchNode, startOwnSearchNode } from "./own-search-node.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where a test asks for the run's OpenSearch node. */
    searchNodeDoor: string;
  }
}

/** The answer: a node that serves, or why there is none, or what went wrong. */
export type NodeAnswer = { url: string } | { absent: string } | { failed: string };

/**
 * Vitest global set-up: one OpenSearch node for all tests of a run. It is started when the first
 * test asks for it, so a run that needs none pays nothing.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let node: OwnSearchNode | undefined;
  let answer: Promise<NodeAnswer> | undefined;
  const open = async (): Promise<NodeAnswer> => {
    const url = testServerUrl("TEST_SEARCH_URL");
    if (url) return { url };
    const absent = await noOwnSearchNode();
    if (absent) return { absent: `${absent}, and TEST_SEARCH_URL is not set` };
    node = await startOwnSearchNode();
    return { url: node.url };
  };
  const server = http.createServer(async (_request, response) => {
    answer ??= open().catch((error: Error) => ({ failed: error.message }));
    response.setHeader("content-type", "application/json").end(JSON.stringify(await answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  project.provide("searchNodeDoor", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    await answer;
    await node?.dispose();
  };
}
