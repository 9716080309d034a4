import { startTcpProxy, type TcpProxy } from "../../contract/tcp-proxy.ts";
import { StandInLog } from "./stand-in-log.ts";
import type { StandInPlace } from "./stand-in-messages.ts";
import { type StandInSecurity, StandInServer } from "./stand-in-server.ts";

interface Node {
  readonly server: StandInServer;
  /** The way to it, at its advertised place. */
  readonly network: TcpProxy;
  readonly place: StandInPlace;
}

/** Where a node listens, on this machine, and the name or address at which it is advertised. */
export interface StandInHost {
  readonly address: string;
  readonly host: string;
}

const LOOPBACK: StandInHost = { address: "127.0.0.1", host: "127.0.0.1" };

export interface StandInClusterOptions {
  /** Nodes with addresses of their own have the same port. All are at 127.0.0.1 when absent. */
  readonly hosts?: readonly [StandInHost, StandInHost, StandInHost];
  readonly security?: StandInSecurity;
}

/**
 * Three stand-ins that gossip and have one log, as the nodes of a cluster have for what is
 * acknowledged. Tests say which node leads. A node that is frozen accepts connections and bytes and
 * answers nothing, as a process after SIGSTOP does, and the others go on naming it until another
 * one is elected.
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

  /** Where the nodes are advertised, as a URL names them. */
  get places(): readonly string[] {
    return this.#nodes.map(({ place: { host, port } }) => `${host}:${port}`);
  }

  /** URL with all three nodes, where they have no security. */
  get url(): string {
    return `esdb://${this.places.join(",")}?tls=false`;
  }

  /** Every node that answers names this one from now on; without a number, none. */
  elect(index: number | undefined): void {
    this.#leader = index;
  }

  freeze(index: number): void {
    this.#node(index).network.swallow();
  }

  /** Ends its connections, and every new one, as a process that was killed does. */
  kill(index: number): void {
    this.#node(index).network.cut();
  }

  /** It stores what it is sent, and its answers are lost; until it is frozen. */
  loseAnswers(index: number): void {
    this.#node(index).network.loseAnswers();
  }

  /** It answers on new connections again. */
  thaw(index: number): void {
    this.#node(index).network.restore();
  }

  /** Connections that a node has now. */
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
