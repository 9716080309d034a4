import { EventStoreDBClient, type SingleNodeOptions } from "@eventstore/db-client";
import { Channel, type ChannelOptions } from "@grpc/grpc-js";
import { given } from "#contracts/given.ts";
import { channelSecurity } from "./channel-security.ts";
import type { ConnectionString } from "./connection-string.ts";
import {
  discoverLeader,
  type Endpoint,
  hostOf,
  openGossip,
  seedsOf,
  uriOf,
} from "./leader-discovery.ts";

/** Limit of one gossip call, in milliseconds, unless the URL has a `gossipTimeout` in seconds. */
const GOSSIP_MS = 1_000;

const KEEP_ALIVE_MS = 10_000;

/** So long that it is never reached, for keep-alives that the URL switches off. */
const NEVER_MS = 1_000_000_000;

/** The largest event that any client can have stored, and a bit. */
const MESSAGE_BYTES = 17 * 1_048_576;

/**
 * The library's client with a discovery that believes no leader which does not answer itself, with
 * connections of its own, and with an end.
 */
export class ClusterClient extends EventStoreDBClient {
  readonly #left = new AbortController();
  /** When the search that is under way began; undefined while there is none. */
  #searchingSince: number | undefined;
  #searchFailure: unknown;

  constructor({ options, isCluster, certificates }: ConnectionString) {
    super(
      {
        // Of a cluster this is no more than a seed.
        endpoint: options.hosts[0] as Endpoint,
        ...given({
          keepAliveInterval: options.keepAliveInterval,
          keepAliveTimeout: options.keepAliveTimeout,
          defaultDeadline: options.defaultDeadline,
          connectionName: options.connectionName,
        }),
      } satisfies SingleNodeOptions,
      { ...certificates },
      options.defaultCredentials,
    );
    const secure = channelSecurity(certificates);
    const settings = channelOptions(options);
    // The library's own channel cannot be secured to an address, and shares its connection, a broken one as well,
    // with that of every client which has the same settings.
    const own = this as unknown as { createChannel: () => Promise<Channel> };
    own.createChannel = async () => {
      const uri = await this.resolveUri();
      const { credentials, options: secured } = secure(hostOf(uri));
      return new Channel(uri, credentials, { ...settings, ...secured });
    };
    if (!isCluster) return;
    const gossipMs =
      options.gossipTimeout === undefined ? GOSSIP_MS : options.gossipTimeout * 1_000;
    const seeds = seedsOf(options);
    const failed = (error: unknown) => {
      this.#searchFailure = error;
    };
    // The library keeps a search that failed for good, so this one fails only when the client is
    // left.
    this.resolveUri = async () => {
      this.#searchingSince = performance.now();
      const gossip = openGossip(secure, gossipMs);
      try {
        const leader = await discoverLeader(seeds, gossip.ask, this.#left.signal, failed);
        this.#searchingSince = undefined;
        this.#searchFailure = undefined;
        return uriOf(leader);
      } finally {
        gossip.close();
      }
    };
  }

  get searchingSince(): number | undefined {
    return this.#searchingSince;
  }

  get searchFailure(): unknown {
    return this.#searchFailure;
  }

  /** Resolves once it is known which node to call; the node need not be within reach. */
  async connect(): Promise<void> {
    await this.getChannel();
  }

  /** The version that the server says it has. */
  async serverVersion(): Promise<string> {
    return (await this.capabilities).serverVersion;
  }

  /** Ends calls and the connection. Nothing may be called afterwards. */
  async leave(): Promise<void> {
    this.#left.abort(new Error("the client is not used any more"));
    await this.dispose();
    const channel = await this.getChannel().catch(() => undefined);
    channel?.close();
  }
}

function channelOptions({
  keepAliveInterval = KEEP_ALIVE_MS,
  keepAliveTimeout = KEEP_ALIVE_MS,
}: ConnectionString["options"]): ChannelOptions {
  return {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.keepalive_time_ms": keepAliveInterval < 0 ? NEVER_MS : keepAliveInterval,
    "grpc.keepalive_timeout_ms": keepAliveTimeout < 0 ? NEVER_MS : keepAliveTimeout,
    "grpc.max_receive_message_length": MESSAGE_BYTES,
  };
}
