import { once } from "node:events";
import net from "node:net";

/** A way between client and server, on loopback, that tests can break. */
export interface TcpProxy {
  readonly port: number;
  /** Ends all connections and every new one at once. */
  cut(): void;
  /** Passes on what clients say, and drops what the server answers. */
  loseAnswers(): void;
  /**
   * Takes every byte and passes none on, in both directions; new connections are accepted. For the
   * connections of this time it stays so, as where a firewall has forgotten them.
   */
  swallow(): void;
  /** Passes everything on again; connections that lost an answer are ended. */
  restore(): void;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1 and passes on to `target`. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let mode: "pass" | "cut" | "deaf" | "swallow" = "pass";
  const clients = new Set<net.Socket>();
  const spoiled = new Set<net.Socket>();
  const dead = new WeakSet<net.Socket>();

  const server = net.createServer((client) => {
    if (mode === "cut") {
      client.resetAndDestroy();
      return;
    }
    clients.add(client);
    if (mode === "swallow") dead.add(client);
    const upstream = net.connect(target);
    client.on("data", (chunk) => {
      if (!dead.has(client)) upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (dead.has(client)) return;
      if (mode === "deaf" || spoiled.has(client)) spoiled.add(client);
      else client.write(chunk);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("error", () => undefined);
      one.on("close", () => {
        other.destroy();
        clients.delete(client);
        spoiled.delete(client);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const end = (sockets: Iterable<net.Socket>) => {
    for (const socket of [...sockets]) socket.destroy();
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    cut() {
      mode = "cut";
      end(clients);
    },
    loseAnswers() {
      mode = "deaf";
    },
    swallow() {
      mode = "swallow";
      for (const client of clients) dead.add(client);
    },
    restore() {
      mode = "pass";
      end(spoiled);
    },
    async close() {
      end(clients);
      server.close();
      await once(server, "close");
    },
  };
}
