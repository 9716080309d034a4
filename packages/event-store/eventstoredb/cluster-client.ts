import { EventStoreDBClient, type SingleNodeOptions } from "@eventstore/db-client";
import { credentials } from "@grpc/grpc-js";
import { given } from "#contracts/given.ts";
import type { ConnectionString } from "./connection-string.ts";
import { discoverLeader, type Endpoint, openGossip, seedsOf, uriOf } from "./leader-discovery.ts";

/** Limit of one gossip call, in milliseconds, unless the URL has a `gossipTimeout` in seconds. */
const GOSSIP_MS = 1_000;

const KEEP_ALIVE_MS = 10_000;

/** So long that it is never reached, for keep-alives that the URL switches off. */
const NEVER_MS = 1_000_000_000;

/**
 * The library's client with a discovery that believes no leader which does not answer itself, and
 * with an end.
 */
export class ClusterClient extends EventStoreDBClient {
  readonly #left = new AbortController();
  /** When the search that is under way began; undefined while there is none. */
  #searchingSince: number | undefined;

  /**
   * @param generation a number that no other client of the process for this URL has. Clients with
   * the same settings share their connections, broken ones as well.
   */
  constructor({ options, isCluster, certificates }: ConnectionString, generation: number) {
    const { keepAliveTimeout = KEEP_ALIVE_MS } = options;
    super(
      {
        // Of a cluster this is no more than a seed.
        endpoint: options.hosts[0] as Endpoint,
        ...given({
          keepAliveInterval: options.keepAliveInterval,
          defaultDeadline: options.defaultDeadline,
          connectionName: options.connectionName,
        }),
        keepAliveTimeout: (keepAliveTimeout < 0 ? NEVER_MS : keepAliveTimeout) + generation,
      } satisfies SingleNodeOptions,
      { ...certificates },
      options.defaultCredentials,
    );
    if (!isCluster) return;
    const { insecure, rootCertificate, userKeyFile, userCertFile } = certificates;
    const gossipMs =
      options.gossipTimeout === undefined ? GOSSIP_MS : options.gossipTimeout * 1_000;
    const channelCredentials = insecure
      ? credentials.createInsecure()
      : credentials.createSsl(rootCertificate, userKeyFile, userCertFile);
    const seeds = seedsOf(options);
    // The library keeps a search that failed for good, so this one fails only when the client is
    // left.
    this.resolveUri = async () => {
      this.#searchingSince = performance.now();
      const gossip = openGossip(channelCredentials, gossipMs);
      try {
        const leader = await discoverLeader(seeds, gossip.ask, this.#left.signal);
        this.#searchingSince = undefined;
        return uriOf(leader);
      } finally {
        gossip.close();
      }
    };
  }

  get searchingSince(): number | undefined {
    return this.#searchingSince;
  }

  /** Resolves once it is known which node to call; the node need not be within reach. */
  async connect(): Promise<void> {
    await this.getChannel();
  }

  /** Ends calls and the connection. Nothing may be called afterwards. */
  async leave(): Promise<void> {
    this.#left.abort(new Error("the client is not used any more"));
    await this.dispose();
    const channel = await this.getChannel().catch(() => undefined);
    channel?.close();
  }
}
