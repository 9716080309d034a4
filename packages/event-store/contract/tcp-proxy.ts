import { once } from "node:events";
import net from "node:net";

/** A connection between client and server, on loopback, that tests can break. */
export interface TcpProxy {
  readonly port: number;
  /** Clients' connections that are open now. */
  readonly connections: number;
  /** Ends all connections, and every new one immediately. */
  cut(): void;
  /** Forwards what clients send, and drops what the server replies. */
  loseAnswers(): void;
  /** Accepts every byte and forwards none. Connections open during that time stay broken, as behind a firewall. */
  swallow(): void;
  /** Forwards everything again; connections that lost a reply are ended. */
  restore(): void;
  close(): Promise<void>;
}

/** @param listen a free port of 127.0.0.1 when absent; port 0 is any free one. */
export async function startTcpProxy(
  target: { host: string; port: number },
  listen = { host: "127.0.0.1", port: 0 },
): Promise<TcpProxy> {
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
  server.listen(listen.port, listen.host);
  await once(server, "listening");

  const end = (sockets: Iterable<net.Socket>) => {
    for (const socket of [...sockets]) socket.destroy();
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    get connections() {
      return clients.size;
    },
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
