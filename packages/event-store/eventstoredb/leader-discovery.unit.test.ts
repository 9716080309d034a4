import { describe, expect, it } from "vitest";
import { discoverLeader, type Endpoint, hostOf, type Member, uriOf } from "./cluster-client.ts";

const node = (port: number): Endpoint => ({ address: "10.0.0.1", port });
const NODES = [node(1), node(2), node(3)];
const never = new AbortController().signal;

/** A cluster in which each node names one leader, by port; null never answers. */
function cluster(views: Record<number, number | null | undefined>) {
  const asked: number[] = [];
  const ask = async ({ port }: Endpoint): Promise<Member[]> => {
    asked.push(port);
    const leader = views[port];
    if (leader === null) throw new Error("time limit");
    return NODES.map((endpoint) => ({ endpoint, isLeader: endpoint.port === leader }));
  };
  return { ask, asked, views };
}

const seeds = async () => NODES;

describe("the search for a leader", () => {
  it("finds the node that says itself that it leads", async () => {
    const { ask } = cluster({ 1: 2, 2: 2, 3: 2 });
    expect(await discoverLeader(seeds, ask, never)).toEqual(node(2));
  });

  it("trusts no one about a leader that does not answer, until another is elected", async () => {
    const { ask, asked, views } = cluster({ 1: null, 2: 1, 3: 1 });
    const found = discoverLeader(seeds, ask, never);
    while (asked.filter((port) => port === 1).length < 6) await new Promise(setImmediate);
    Object.assign(views, { 2: 3, 3: 3 });
    expect(await found).toEqual(node(3));
  });

  it("does not trust a leader that says another one leads", async () => {
    const { ask, views } = cluster({ 1: 1, 2: 1, 3: 1 });
    views[1] = 2;
    const found = discoverLeader(seeds, ask, never);
    await new Promise((resolve) => setTimeout(resolve, 20));
    views[2] = 2;
    expect(await found).toEqual(node(2));
  });

  it("does not wait for a silent node while others answer", async () => {
    const { ask } = cluster({ 2: 2, 3: 2 });
    const silent = (endpoint: Endpoint) =>
      endpoint.port === 1 ? new Promise<never>(() => undefined) : ask(endpoint);
    expect(await discoverLeader(seeds, silent, never)).toEqual(node(2));
  });

  it("ends with its signal, even while no one answers", async () => {
    const stop = new AbortController();
    const found = discoverLeader(seeds, () => new Promise(() => undefined), stop.signal);
    stop.abort(new Error("enough"));
    await expect(found).rejects.toThrow("enough");
  });

  it("reports why it found none: no node answers, or those that answer have no leader", async () => {
    const refused = new Error("the certificate is not accepted");
    const { ask, views } = cluster({});
    const reasons: unknown[] = [];
    const onlyTo = (...ports: number[]) =>
      discoverLeader(
        seeds,
        async (endpoint) => {
          if (!ports.includes(endpoint.port)) throw refused;
          return ask(endpoint);
        },
        stop.signal,
        (error) => {
          reasons.push(error);
          stop.abort();
        },
      ).catch(() => undefined);
    let stop = new AbortController();
    await onlyTo();
    expect(reasons[0]).toBeInstanceOf(AggregateError);
    expect((reasons[0] as AggregateError).errors).toEqual([refused, refused, refused]);
    stop = new AbortController();
    views[3] = undefined;
    await onlyTo(3);
    expect(reasons[1]).toMatchObject({ message: "no leader is known" });
  });

  it("continues when a name can't be looked up for a while", async () => {
    let lookups = 0;
    const unsteady = async () => {
      lookups += 1;
      if (lookups === 1) throw new Error("EAI_AGAIN");
      return NODES;
    };
    const { ask } = cluster({ 1: 1, 2: 1, 3: 1 });
    expect(await discoverLeader(unsteady, ask, never)).toEqual(node(1));
  });

  it("formats addresses as gRPC expects", () => {
    for (const [address, uri] of [
      ["::1", "[::1]:2113"],
      ["10.0.0.7", "10.0.0.7:2113"],
      ["db.example", "db.example:2113"],
    ] as const) {
      expect(uriOf({ address, port: 2113 })).toBe(uri);
      expect(hostOf(uri)).toBe(address);
    }
  });
});
