import fc from "fast-check";
import { expect, it } from "vitest";
import { divideConnections } from "./pool.ts";

const one = "postgres://a:b@one.example/x";
const two = "postgres://a:b@two.example:6432/x";

it("divides one budget among the pools of one server, by weight", () => {
  const pools = { database: { url: one, weight: 4 }, log: { url: one, weight: 4 } };
  expect(divideConnections(10, { ...pools, keys: { url: one, weight: 2 } })).toEqual({
    database: 4,
    log: 4,
    keys: 2,
  });
});

it("subtracts connections outside the pools first", () => {
  const needs = {
    database: { url: one, weight: 2 },
    leases: { url: one, single: 5 },
    log: { url: one, weight: 1 },
  };
  expect(divideConnections(8, needs)).toEqual({ database: 2, leases: 0, log: 1 });
});

it("gives another server its own budget, and a URL that is not PostgreSQL none", () => {
  const needs = {
    database: { url: one, weight: 1 },
    keys: { url: two, weight: 1 },
    log: { url: "esdb://log.example:2113", weight: 9 },
  };
  expect(divideConnections(6, needs)).toEqual({ database: 6, keys: 6, log: 0 });
});

it("recognizes a server despite different databases, users and spellings of its port", () => {
  const needs = {
    database: { url: "postgres://a:b@one.example/x", weight: 1 },
    keys: { url: "postgresql://c:d@one.example:5432/y", weight: 1 },
  };
  expect(divideConnections(6, needs)).toEqual({ database: 3, keys: 3 });
});

it("recognizes loopback by each of its names", () => {
  const hosts = ["localhost", "127.0.0.1", "[::1]", "LOCALHOST:5432"];
  const needs = hosts.map((host) => ({ url: `postgres://a:b@${host}/x`, weight: 1 }));
  expect(Object.values(divideConnections(8, Object.fromEntries(Object.entries(needs))))).toEqual([
    2, 2, 2, 2,
  ]);
});

it("spends the whole budget, and never more if each pool can have one connection", () => {
  const need = fc.record({
    url: fc.constantFrom(one, two),
    weight: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(need, { minLength: 1, maxLength: 6 }), fc.nat(50), (pools, more) => {
      const budget = pools.length + more;
      const given = divideConnections(budget, Object.fromEntries(Object.entries(pools)));
      for (const url of new Set(pools.map((pool) => pool.url))) {
        const sum = pools.reduce((n, pool, i) => n + (pool.url === url ? (given[i] ?? 0) : 0), 0);
        expect(sum).toBe(budget);
      }
      expect(Object.values(given).every((n) => n >= 1)).toBe(true);
    }),
  );
});
