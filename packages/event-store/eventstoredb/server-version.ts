import { ClusterClient } from "./cluster-client.ts";
import { normalUrl, readConnectionString } from "./connection-string.ts";

/** The version that the server says it has, e.g. `23.10.7`, over a connection of its own. */
export async function eventStoreDBVersion(url: string): Promise<string> {
  const client = new ClusterClient(readConnectionString(normalUrl(url)));
  try {
    return await client.serverVersion();
  } finally {
    await client.leave();
  }
}
