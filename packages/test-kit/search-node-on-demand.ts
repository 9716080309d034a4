import type { TestProject } from "vitest/node";
import { testServerUrl } from "./config.ts";
import { openSharedServer, type Shared } from "./on-demand.ts";
import { noOwnSearchNode, startOwnSearchNode } from "./own-search-node.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL for requesting the run's OpenSearch node. */
    searchNodeDoor: string;
  }
}

/** A running node, or why there is none. */
export type NodeAnswer = { url: string } | { absent: string };

const shared = (answer: NodeAnswer, close = async () => {}): Shared => ({ answer, close });

/** Vitest global setup: one OpenSearch node for all tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const door = await openSharedServer(async () => {
    const url = testServerUrl("TEST_SEARCH_URL");
    if (url) return shared({ url });
    const absent = await noOwnSearchNode();
    if (absent) return shared({ absent: `${absent}, and TEST_SEARCH_URL is not set` });
    const node = await startOwnSearchNode();
    return shared({ url: node.url }, node.dispose);
  });
  project.provide("searchNodeDoor", door.url);
  return door.close;
}
