import dns from "node:dns/promises";
import { isIP, isIPv6 } from "node:net";
import { checkServerIdentity } from "node:tls";
import { EventStoreDBClient, type SingleNodeOptions } from "@eventstore/db-client";
import gossipServices from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import gossip from "@eventstore/db-client/generated/gossip_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import {
  Channel,
  type ChannelCredentials,
  type ChannelOptions,
  credentials,
  Metadata,
} from "@grpc/grpc-js";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { BackOff, type BackOffLimits } from "#runtime/lifecycle/back-off.ts";
import { ABORTED, orAborted, pause } from "../follow-log.ts";
import { type ConnectionString, normalUrl, readConnectionString } from "./connection-string.ts";
import { refusedCertificate } from "./failures.ts";

/** Time limit of one gossip call, in milliseconds, unless the URL has a `gossipTimeout` in seconds. */
const GOSSIP_MS = 1_000;

const KEEP_ALIVE_MS = 10_000;

/** Effectively never, for keep-alives that the URL turns off. */
const NEVER_MS = 1_000_000_000;

/** Slightly more than the largest event that any client can have stored. */
const MESSAGE_BYTES = 17 * 1_048_576;

/** The library's client with its own connections. It trusts only a leader that confirms its role itself. */
export class ClusterClient extends EventStoreDBClient {
  readonly #left = new AbortController();
  /** When the current search began; undefined if there is none. */
  #searchingSince: number | undefined;
  #searchFailure: unknown;

  constructor({ options, isCluster, certificates }: ConnectionString) {
    super(
      {
        // For a cluster this is only a seed.
        endpoint: options.hosts[0] as Endpoint,
        ...omitUndefined({
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
    // The library's own channel can't verify an IP address, and shares its connection, even a broken one, with
    // every client that has the same settings.
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
    // The library keeps a failed search forever, so this one fails only when the client is closed.
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

  async connect(): Promise<void> {
    await this.getChannel();
  }

  async serverVersion(): Promise<string> {
    return (await this.capabilities).serverVersion;
  }

  /** Ends calls and the connection. Nothing may be called afterward. */
  async leave(): Promise<void> {
    this.#left.abort(new Error("the client is closed"));
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

/** How a connection to one node is protected. */
interface ChannelSecurity {
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
}

/** For a node known only by IP address, which TLS does not name (RFC 6066, 3). No host has this name (RFC 6761). */
const NO_NAME = "address.invalid";

/** @returns how to connect to a node whose certificate must contain a name or an address. */
function channelSecurity({
  insecure,
  rootCertificate,
  userKeyFile,
  userCertFile,
}: ConnectionString["certificates"]): (certified: string) => ChannelSecurity {
  if (insecure) return () => ({ credentials: credentials.createInsecure(), options: {} });
  return (certified) => {
    const isAddress = isIP(certified) !== 0;
    return {
      credentials: credentials.createSsl(rootCertificate, userKeyFile, userCertFile, {
        checkServerIdentity: (_, certificate) => checkServerIdentity(certified, certificate),
      }),
      options: { "grpc.ssl_target_name_override": isAddress ? NO_NAME : certified },
    };
  };
}

/** The address of a cluster node. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
  /** The name in the node's certificate, if `address` is an IP address resolved from it. */
  readonly certifiedName?: string;
}

/** A node as gossip lists it. */
export interface Member {
  readonly endpoint: Endpoint;
  readonly isLeader: boolean;
}

/** Asks a node for its cluster's members. @throws if it does not answer in time. */
type AskForMembers = (node: Endpoint) => Promise<readonly Member[]>;

/** Delays between searches for a leader. */
const BACK_OFF: BackOffLimits = { minMs: 100, maxMs: 1_000 };

/** A node answered, but no leader did. */
class NoLeader extends Error {}

/**
 * Searches until a node names the leader and the leader confirms it.
 * Followers of a frozen leader keep naming it until they elect another.
 * @param failed called with the reason why an attempt found none.
 * @throws the signal's reason.
 */
export async function discoverLeader(
  seeds: () => Promise<readonly Endpoint[]>,
  ask: AskForMembers,
  signal: AbortSignal,
  failed: (error: unknown) => void = () => undefined,
): Promise<Endpoint> {
  const backOff = new BackOff(BACK_OFF);
  for (;;) {
    signal.throwIfAborted();
    try {
      const leader = await orAborted(
        seeds().then((nodes) => findLeader(nodes, ask)),
        signal,
      );
      if (leader !== ABORTED) return leader;
    } catch (error) {
      failed(error);
      await pause(backOff.next(), signal);
    }
  }
}

/** Asks all seeds at once. @throws {NoLeader} @throws {AggregateError} no node answered. */
async function findLeader(seeds: readonly Endpoint[], ask: AskForMembers): Promise<Endpoint> {
  const confirming = new Map<string, Promise<Endpoint>>();
  const confirm = (leader: Endpoint): Promise<Endpoint> => {
    const uri = uriOf(leader);
    const pending = confirming.get(uri) ?? confirmed(leader, ask);
    confirming.set(uri, pending);
    return pending;
  };
  const found = seeds.map(async (seed) => {
    const leader = (await ask(seed)).find(({ isLeader }) => isLeader);
    if (!leader) throw new NoLeader("no leader is known");
    return confirm(leader.endpoint);
  });
  try {
    return await Promise.any(found);
  } catch (error) {
    const { errors } = error as AggregateError;
    throw errors.find((each) => each instanceof NoLeader) ?? error;
  }
}

async function confirmed(leader: Endpoint, ask: AskForMembers): Promise<Endpoint> {
  const members = await ask(leader);
  if (members.some((each) => each.isLeader && uriOf(each.endpoint) === uriOf(leader)))
    return leader;
  throw new NoLeader("the node is no longer the leader");
}

/** Returns the URL's nodes: its hosts, or all addresses of its one name. */
function seedsOf(options: {
  readonly dnsDiscover: boolean;
  readonly hosts: readonly Endpoint[];
}): () => Promise<readonly Endpoint[]> {
  return async () => {
    const [first] = options.hosts;
    if (!options.dnsDiscover || !first) return options.hosts;
    const found = await dns.lookup(first.address, { all: true });
    return found.map(({ address }) => ({
      address,
      port: first.port,
      certifiedName: first.address,
    }));
  };
}

interface Gossip {
  readonly ask: AskForMembers;
  close(): void;
}

/** Consecutive failures of a node after which its connection is replaced. */
const PATIENCE = 10;

/** Opens gossip over one connection per node. After repeated failures it is replaced, since it may be broken. */
function openGossip(secure: (certified: string) => ChannelSecurity, timeoutMs: number): Gossip {
  type Client = InstanceType<typeof gossipServices.GossipClient>;
  const nodes = new Map<string, { client: Client; failures: number }>();
  const open = (node: Endpoint, certified: string) => {
    const { credentials, options } = secure(certified);
    return new gossipServices.GossipClient(uriOf(node), credentials, {
      // A connection shared with other searches may be broken.
      "grpc.use_local_subchannel_pool": 1,
      ...options,
    });
  };
  return {
    ask(node) {
      // The certificate of a node named by its address must contain that address, whichever name led to it.
      const certified = node.certifiedName ?? node.address;
      const key = `${uriOf(node)} ${certified}`;
      const held = nodes.get(key) ?? { client: open(node, certified), failures: 0 };
      nodes.set(key, held);
      const deadline = new Date(Date.now() + timeoutMs);
      return new Promise((resolve, reject) => {
        held.client.read(new shared.Empty(), new Metadata(), { deadline }, (error, info) => {
          held.failures = error ? held.failures + 1 : 0;
          if (held.failures >= PATIENCE && nodes.get(key) === held) {
            nodes.delete(key);
            held.client.close();
          }
          if (error) reject(refusedCertificate(error) ?? error);
          else resolve(info.getMembersList().flatMap(member));
        });
      });
    },
    close() {
      for (const { client } of nodes.values()) client.close();
      nodes.clear();
    },
  };
}

function member(listed: InstanceType<typeof gossip.MemberInfo>): Member[] {
  const at = listed.getHttpEndPoint();
  if (!at) return [];
  return [
    {
      endpoint: { address: at.getAddress(), port: at.getPort() },
      isLeader: listed.getIsAlive() && listed.getState() === gossip.MemberInfo.VNodeState.LEADER,
    },
  ];
}

/** Formats address and port as gRPC expects. */
export function uriOf({ address, port }: Endpoint): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Parses what {@link uriOf} or the library writes. */
export function hostOf(uri: string): string {
  return /^\[?(.+?)\]?:\d+$/.exec(uri)?.[1] ?? uri;
}

/** Returns the server's version, e.g. `23.10.7`, over a separate connection. */
export async function eventStoreDBVersion(url: string): Promise<string> {
  const client = new ClusterClient(readConnectionString(normalUrl(url)));
  try {
    return await client.serverVersion();
  } finally {
    await client.leave();
  }
}
