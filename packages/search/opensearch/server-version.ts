import { withAuthority } from "#runtime/net/client-address.ts";
import { LIMITS, SearchConnection } from "./connection.ts";

/** The version that the engine says it has, e.g. `3.8.0`, over a connection of its own. */
export async function openSearchVersion(url: string): Promise<string> {
  const server = withAuthority(url);
  const node = new URL(server.url);
  node.search = "";
  const connection = new SearchConnection(node.href, LIMITS, server.tls?.ca);
  try {
    const { version } = await connection.call<{ version: { number: string } }>(
      "state",
      (client, options) => client.info({}, options) as never,
    );
    return version.number;
  } finally {
    await connection.close();
  }
}
