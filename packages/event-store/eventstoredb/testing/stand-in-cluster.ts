import { startTcpProxy, type TcpProxy } from "../../contract/tcp-proxy.ts";
import { StandInLog } from "./stand-in-log.ts";
import { StandInServer } from "./stand-in-server.ts";

interface Node {
  readonly server: StandInServer;
  /** The way to it, under its advertised port. */
  readonly network: TcpProxy;
}

/**
 * Three stand-ins that gossip and have one log, as the nodes of a cluster have for what is
 * acknowledged. Tests say which node leads. A node that is frozen accepts connections and bytes and
 * answers nothing, as a process after SIGSTOP does, and the others go on naming it until another
 * one is elected.
 */
export class StandInCluster {
  readonly log = new StandInLog();
  readonly #nodes: Node[] = [];
  #leader: number | undefined = 0;

  async start(): Promise<void> {
    for (const index of [0, 1, 2]) {
      let port = 0;
      const server = new StandInServer(this.log, {
        get port() {
          return port;
        },
        members: () =>
          this.#nodes.map(({ network }, each) => ({
            port: network.port,
            isLeader: each === this.#leader,
          })),
      });
      await server.start();
      const network = await startTcpProxy({ host: "127.0.0.1", port: server.port });
      port = network.port;
      this.#nodes[index] = { server, network };
    }
  }

  /** URL with all three nodes. */
  get url(): string {
    const hosts = this.#nodes.map(({ network }) => `127.0.0.1:${network.port}`);
    return `esdb://${hosts.join(",")}?tls=false`;
  }

  /** Every node that answers names this one from now on; without a number, none. */
  elect(index: number | undefined): void {
    this.#leader = index;
  }

  freeze(index: number): void {
    this.#node(index).network.swallow();
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
