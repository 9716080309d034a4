import { startTcpProxy, type TcpProxy } from "../../contract/tcp-proxy.ts";
import { StandInLog } from "./stand-in-log.ts";
import type { StandInPlace } from "./stand-in-messages.ts";
import { type StandInSecurity, StandInServer } from "./stand-in-server.ts";

interface Node {
  readonly server: StandInServer;
  /** The network in front of it, at its advertised address. */
  readonly network: TcpProxy;
  readonly place: StandInPlace;
}

/** A node's address on this machine, and the name or address at which it is advertised. */
export interface StandInHost {
  readonly address: string;
  readonly host: string;
}

const LOOPBACK: StandInHost = { address: "127.0.0.1", host: "127.0.0.1" };

export interface StandInClusterOptions {
  /** Nodes with different addresses share one port. All are at 127.0.0.1 when absent. */
  readonly hosts?: readonly [StandInHost, StandInHost, StandInHost];
  readonly security?: StandInSecurity;
}

/**
 * Three stand-ins that gossip and share one log, as a cluster's nodes do for acknowledged events.
 * Tests choose the leader. A frozen node accepts connections and bytes but never answers, as a process
 * after SIGSTOP does, and the others keep naming it until another one is elected.
 */
export class StandInCluster {
  readonly log = new StandInLog();
  readonly #hosts: readonly StandInHost[];
  readonly #security: StandInSecurity | undefined;
  readonly #nodes: Node[] = [];
  #leader: number | undefined = 0;

  constructor({ hosts = [LOOPBACK, LOOPBACK, LOOPBACK], security }: StandInClusterOptions = {}) {
    this.#hosts = hosts;
    this.#security = security;
  }

  async start(): Promise<void> {
    const isApart = new Set(this.#hosts.map(({ address }) => address)).size > 1;
    for (const [index, { address, host }] of this.#hosts.entries()) {
      const place = { host, port: 0 };
      const node = {
        host,
        get port() {
          return place.port;
        },
        members: () =>
          this.#nodes.map((each, number) => ({ ...each.place, isLeader: number === this.#leader })),
      };
      const server = new StandInServer(this.log, node, this.#security);
      await server.start();
      const network = await startTcpProxy(
        { host: "127.0.0.1", port: server.port },
        { host: address, port: isApart ? (this.#nodes[0]?.place.port ?? 0) : 0 },
      );
      place.port = network.port;
      this.#nodes[index] = { server, network, place };
    }
  }

  /** The nodes' advertised addresses, as a URL names them. */
  get places(): readonly string[] {
    return this.#nodes.map(({ place: { host, port } }) => `${host}:${port}`);
  }

  /** URL with all three nodes, for a cluster without security. */
  get url(): string {
    return `esdb://${this.places.join(",")}?tls=false`;
  }

  /** From now on, every node that answers names this one as the leader; without a number, none. */
  elect(index: number | undefined): void {
    this.#leader = index;
  }

  freeze(index: number): void {
    this.#node(index).network.swallow();
  }

  /** Ends its connections, and every new one, as if its process was killed. */
  kill(index: number): void {
    this.#node(index).network.cut();
  }

  /** Loses its answers until it is frozen; it still stores what it is sent. */
  loseAnswers(index: number): void {
    this.#node(index).network.loseAnswers();
  }

  /** Lets it answer on new connections again. */
  thaw(index: number): void {
    this.#node(index).network.restore();
  }

  connections(index: number): number {
    return this.#node(index).network.connections;
  }

  async close(): Promise<void> {
    for (const { server, network } of this.#nodes) {
      await network.close();
      server.kill();
    }
  }

  #node(index: number): Node {
    const node = this.#nodes[index];
    if (!node) throw new Error(`the cluster has no node ${index}`);
    return node;
  }
}
