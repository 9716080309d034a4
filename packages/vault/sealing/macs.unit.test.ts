import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aggregateIdOf,
  blindIndex,
  bodyMac,
  type CommandIdentity,
  commandId,
  createBlindIndexer,
} from "./hashes.ts";

const key = Buffer.alloc(32, 7);
const identity: CommandIdentity = {
  actor: "visitor",
  method: "POST",
  route: "/prod/api/reports/submit",
  target: "",
  idempotencyKey: "0123456789abcdef",
};

// Stored values depend on these. Changing one changes the format.
describe("stored formats", () => {
  it("compute blind indexes as they always have", () => {
    expect(blindIndex(key, "email", "dana@example.com")).toBe(
      "4J04x_PmkcaFPcZU1UjXdn2Qawkz4-spRRPsPetP81E",
    );
  });
  it("compute command IDs, aggregate IDs and body MACs as they always have", () => {
    const id = commandId(key, identity);
    expect(id).toBe("534c61349be6bd94fb11f039a1cb2f6605d724418a7c75196cdd2087bdbc7809");
    expect(aggregateIdOf(id)).toBe("341c0a31-789b-8ce5-b5b9-3620be43b97e");
    expect(bodyMac([key], { b: 1, a: ["x"] })).toBe(
      "e625bcb05cc8968a3c106b74161b4106cb42c1747567b9764ef9301c3bf8db2f",
    );
    expect(bodyMac([key, Buffer.alloc(32, 8)], { b: 1, a: ["x"] })).toBe(
      "1178e009cd83fa53bff9d0b9463b886fc253308408ec5f0f8606ad650a146e91",
    );
  });
});

describe("the MAC of a body", () => {
  it.each(["password", "newPassword", "refreshToken", "code", "recovery_code", "client_secret"])(
    "is not computed if the body has a %s, at any depth",
    (name) => {
      for (const body of [{ [name]: "x" }, { list: [{ [name]: "x" }] }])
        expect(() => bodyMac([key], body)).toThrow(TypeError);
      expect(() => bodyMac([key], { reason_code: "other", tracking_number: name })).not.toThrow();
    },
  );
});

describe("blindIndex", () => {
  it("is equal only for the same value of the same field under the same key", () => {
    const index = createBlindIndexer(key);
    expect(index("email", "a")).toBe(blindIndex(key, "email", "a"));
    const others = [
      index("phone", "a"),
      index("email", "b"),
      index("emaila", ""),
      createBlindIndexer(Buffer.alloc(32, 8))("email", "a"),
    ];
    expect(new Set([index("email", "a"), ...others]).size).toBe(5);
  });
});

describe("commandId", () => {
  it("depends on everything that distinguishes commands", () => {
    const field = fc.constantFrom(...(Object.keys(identity) as (keyof CommandIdentity)[]));
    fc.assert(
      fc.property(field, fc.string(), (name, value) => {
        fc.pre(identity[name] !== value);
        expect(commandId(key, { ...identity, [name]: value })).not.toBe(commandId(key, identity));
      }),
    );
  });

  it("cannot be made equal by moving text from one field to the next", () => {
    const a = commandId(key, { ...identity, route: "/a", target: "b" });
    const b = commandId(key, { ...identity, route: "/ab", target: "" });
    expect(a).not.toBe(b);
  });
});

describe("bodyMac", () => {
  it("depends on everything except the order of keys", () => {
    expect(bodyMac([key], { a: 1, b: 2 })).toBe(bodyMac([key], { b: 2, a: 1 }));
    expect(bodyMac([key], { a: 1, b: 2 })).not.toBe(bodyMac([key], { a: 1, b: 3 }));
    expect(bodyMac([key], [1, 2])).not.toBe(bodyMac([key], [2, 1]));
    expect(bodyMac([key], null)).not.toBe(bodyMac([key], {}));
  });

  it("cannot be computed without each of the keys", () => {
    const [a, b] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const macs = [[a, b], [b, a], [a], [b]].map((keys) => bodyMac(keys, { email: "x@y.example" }));
    expect(new Set(macs).size).toBe(4);
  });
});

describe("aggregateIdOf", () => {
  it("is a UUID of version 8 and rejects an invalid command ID", () => {
    expect(aggregateIdOf(commandId(key, identity))).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(() => aggregateIdOf("1")).toThrow(TypeError);
  });
});
