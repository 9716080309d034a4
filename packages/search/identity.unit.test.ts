import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  connectedGroups,
  IDENTIFIERS,
  type Identifier,
  identifierOfKey,
  identityKeys,
  type KeyedReport,
  mayName,
  type NamedReport,
  personNameKey,
} from "./matching.ts";

const report = (first_name: string, last_name: string, blind: NamedReport["blind"]) => ({
  first_name,
  last_name,
  blind,
});

const samePerson = (a: NamedReport, b: NamedReport) =>
  identityKeys(a).some((key) => identityKeys(b).includes(key));

describe("whether a report may be about someone", () => {
  const jose = {
    first_name: "José",
    last_name: "O'Brien-Smith",
    emails: ["hash-of-theirs", "hash-of-former"],
  };

  it("is true for their name, however it is written, and for their address, whatever the name", () => {
    expect(mayName(report("JOSE", "OBrien Smith", {}), jose)).toBe(true);
    for (const theirs of ["hash-of-theirs", "hash-of-former"])
      expect(mayName(report("Pat", "Orr", { email: ["another", theirs] }), jose)).toBe(true);
  });

  it("is false for half a name, another address, or the same hash of something else", () => {
    expect(mayName(report("José", "Orr", { email: ["another"] }), jose)).toBe(false);
    expect(mayName(report("Pat", "O'Brien-Smith", {}), jose)).toBe(false);
    expect(mayName(report("Pat", "Orr", { phone: ["hash-of-theirs"] }), jose)).toBe(false);
  });

  it("is false for someone without a name or an address", () => {
    const unknown = { first_name: "", last_name: "", emails: [] };
    expect(mayName(report("...", " ", { email: [""] }), unknown)).toBe(false);
    expect(mayName(report("", "Orr", {}), { ...unknown, last_name: "Orr" })).toBe(false);
  });
});

describe("the key of a name", () => {
  it("is the same in any case, with and without accents and punctuation", () => {
    const keys = [
      ["José", "O'Brien-Smith"],
      ["JOSE", "OBrien Smith"],
      ["jose\u0301 ", "o’brien  smith"],
    ].map(([first = "", last = ""]) => personNameKey(first, last));
    expect(new Set(keys)).toEqual(new Set(["jose|obrien smith"]));
  });

  it("keeps first and last names separate, and in order", () => {
    expect(personNameKey("James", "Dean")).not.toBe(personNameKey("Dean", "James"));
    expect(personNameKey("Mary Ann", "Lee")).not.toBe(personNameKey("Mary", "Ann Lee"));
  });

  it("is empty for a name without letters", () => {
    expect(personNameKey("...", "Smith")).toBeUndefined();
    expect(personNameKey("Ann", " ")).toBeUndefined();
  });
});

describe("the same person", () => {
  it.each(IDENTIFIERS)("has the same name and shares the %s", (identifier) => {
    const a = report("John", "Smith", { [identifier]: ["h1", "h2"] });
    const b = report("JOHN", "Smith", { [identifier]: ["h2"] });
    expect(samePerson(a, b)).toBe(true);
    expect(identityKeys(a).map(identifierOfKey)).toEqual([identifier, identifier]);
  });

  it("needs both the name and an identifier of the same kind", () => {
    const john = report("John", "Smith", { email: ["h"], phone: ["p"] });
    expect(samePerson(john, report("John", "Smith", {}))).toBe(false);
    expect(samePerson(report("John", "Smith", {}), report("John", "Smith", {}))).toBe(false);
    expect(samePerson(john, report("John", "Smith", { phone: ["h"] }))).toBe(false);
    expect(samePerson(john, report("Smith", "John", { email: ["h"] }))).toBe(false);
    expect(samePerson(john, report("Jon", "Smith", { email: ["h"] }))).toBe(false);
    expect(samePerson(john, report("Bob", "Smith", { email: ["h"] }))).toBe(false);
    const empty = report("John", "Smith", { email: [""] });
    expect(identityKeys(empty)).toEqual([]);
    expect(identityKeys(report("?", "!", { email: ["h"] }))).toEqual([]);
  });
});

const keyed = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-z]{1,3}$/),
    keys: fc.array(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 3 }),
  }),
  { selector: (r) => r.id, maxLength: 40 },
);

/** Returns the reports connected to `from`, found step by step: slow and simple, for comparison. */
function reachable(reports: readonly KeyedReport[], from: KeyedReport): Set<string> {
  const seen = new Set([from.id]);
  const queue = [from];
  for (let at = queue.pop(); at; at = queue.pop()) {
    for (const other of reports) {
      if (!seen.has(other.id) && other.keys.some((key) => at?.keys.includes(key))) {
        seen.add(other.id);
        queue.push(other);
      }
    }
  }
  return seen;
}

describe("groups of reports", () => {
  it("join reports that share a key through another report", () => {
    const reports = [
      { id: "c", keys: ["2"] },
      { id: "a", keys: ["1"] },
      { id: "d", keys: [] },
      { id: "b", keys: ["1", "2"] },
    ];
    expect(connectedGroups(reports)).toEqual([["a", "b", "c"], ["d"]]);
    expect(connectedGroups([])).toEqual([]);
  });

  it("are an equivalence relation: exactly what can be reached through shared keys", () => {
    fc.assert(
      fc.property(keyed, (reports) => {
        const groups = connectedGroups(reports);
        expect(groups.flat().sort()).toEqual(reports.map((r) => r.id).sort());
        for (const from of reports) {
          const group = groups.find((ids) => ids.includes(from.id));
          expect(new Set(group)).toEqual(reachable(reports, from));
        }
      }),
    );
  });

  it("do not depend on the order of reports and keys", () => {
    fc.assert(
      fc.property(
        keyed.chain((reports) =>
          fc.tuple(
            fc.constant(reports),
            fc.shuffledSubarray(reports, { minLength: reports.length }),
          ),
        ),
        ([reports, shuffled]) => {
          const turned = shuffled.map(({ id, keys }) => ({ id, keys: [...keys].reverse() }));
          expect(connectedGroups(turned)).toEqual(connectedGroups(reports));
        },
      ),
    );
  });

  it("merge the keys of a report that occurs twice", () => {
    const twice = [
      { id: "a", keys: ["1"] },
      { id: "b", keys: ["2"] },
      { id: "a", keys: ["2"] },
    ];
    expect(connectedGroups(twice)).toEqual([["a", "b"]]);
  });

  it("never join two namesakes without a shared identifier, whatever the other reports hold", () => {
    const name = fc.constantFrom(
      ["John", "Smith"],
      ["JOHN", "SMITH"],
      ["Jon", "Smith"],
      ["Smith", "John"],
    );
    const hash = (of: string) => fc.integer({ min: 0, max: 3 }).map((n) => `${of}${n}`);
    const some = (of: string) =>
      fc.array(fc.tuple(fc.constantFrom(...IDENTIFIERS), hash(of)), { minLength: 1, maxLength: 3 });
    const blind = (pairs: readonly (readonly [Identifier, string])[]) =>
      Object.fromEntries(
        IDENTIFIERS.map((kind) => [kind, pairs.filter(([k]) => k === kind).map(([, h]) => h)]),
      );
    const reportsOf = (of: string) =>
      fc.array(
        fc
          .record({ name, pairs: some(of) })
          .map(({ name: [first, last], pairs }) => report(first ?? "", last ?? "", blind(pairs))),
        { minLength: 1, maxLength: 8 },
      );
    fc.assert(
      fc.property(reportsOf("x"), reportsOf("y"), (ones, others) => {
        const keyedReports = [
          ...ones.map((r, i) => ({ id: `x${i}`, keys: identityKeys(r) })),
          ...others.map((r, i) => ({ id: `y${i}`, keys: identityKeys(r) })),
        ];
        for (const group of connectedGroups(keyedReports)) {
          expect(new Set(group.map((id) => id[0])).size).toBe(1);
          const names = group.map((id) => {
            const r = (id[0] === "x" ? ones : others)[Number(id.slice(1))];
            return personNameKey(r?.first_name ?? "", r?.last_name ?? "");
          });
          expect(new Set(names).size).toBe(1);
        }
      }),
    );
  });

  it("handle a chain of a hundred thousand quickly", () => {
    const chain = Array.from({ length: 100_000 }, (_, i) => ({
      id: String(i),
      keys: [`k${i}`, `k${i + 1}`],
    }));
    expect(connectedGroups(chain)).toHaveLength(1);
  });
});
