import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import { KeyStoreUnavailable, WrongMasterKey } from "#vault/keys/key-store.ts";
import { KeyMissing } from "#vault/sealing/event-codec.ts";
import { ConfigInvalid } from "../config/load-config.ts";
import {
  CannotStart,
  explainAddress,
  explainFailure,
  isStoreUnavailable,
} from "./explain-failure.ts";

function systemError(code: string, more: object = {}): Error {
  return Object.assign(new Error(`${code} of the system`), { code, ...more });
}

const accessDenied = () => Object.assign(new Error("no, hunter2"), { type: "access-denied" });

function refusal(code: string): DatabaseError {
  return Object.assign(new DatabaseError("no, hunter2", 10, "error"), { code });
}

describe("why a process does not start", () => {
  const refused = systemError("ECONNREFUSED", { address: "10.0.0.7", port: 5432 });
  const otherName = systemError("ERR_TLS_CERT_ALTNAME_INVALID", { host: "hunter2" });
  const stranger = systemError("SELF_SIGNED_CERT_IN_CHAIN");
  // As the event log's adapter wraps the error from EventStoreDB's client.
  const denied = Object.assign(new Error("out of reach", { cause: accessDenied() }), {
    name: "StoreUnavailable",
  });

  it.each([
    [new CannotStart("Build it first."), /^Build it first\.$/],
    [new ConfigInvalid(["PORT is missing"]), /^The configuration is not valid:\n {2}- PORT is m/],
    [new KeyMissing("account-1"), /^The stores do not belong together: .* KEYS_URL/],
    [new WrongMasterKey("not this one"), /^The data cannot be opened: not this one\.$/],
    [refused, /^A required store is unreachable \(ECONNREFUSED 10\.0\.0\.7:5432\)/],
    [new AggregateError([refused]), /ECONNREFUSED 10\.0\.0\.7:5432/],
    [new KeyStoreUnavailable("away", { cause: refused }), /unreachable \(ECONNREFUSED/],
    [systemError("ENOTFOUND", { hostname: "db" }), /unreachable \(ENOTFOUND db\)/],
    [refusal("28P01"), /rejected the connection \(SQLSTATE 28P01\)/],
    [refusal("3D000"), /rejected the connection \(SQLSTATE 3D000\)/],
    [denied, /^The event log rejected the connection .* EVENT_STORE_URL\.$/],
    [refusal("53300"), /^A database server has no connections left .* lower DATABASE_CONNECTIONS/],
    [refusal("53100"), /^The disk of a database server is full \(SQLSTATE 53100\)/],
    [
      new KeyStoreUnavailable("away", { cause: refusal("53100") }),
      /^The disk of a database server is full/,
    ],
    [refusal("42501"), /^A database does not let its user create .* `npm run migrate`/],
    [refusal("58P01"), /^A database server lacks the extension pg_trgm/],
    [otherName, /^A store's certificate isn't trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/],
    [new KeyStoreUnavailable("away", { cause: stranger }), /SELF_SIGNED_CERT_IN_CHAIN.* CA file/],
    [new SuppressedError(new Error("clean-up"), new CannotStart("Why.")), /^Why\.$/],
  ])("is one sentence for %s", (error, sentence) => {
    expect(explainFailure(error, "mailer")).toMatch(sentence);
    expect(explainFailure(error, "mailer")).not.toMatch(/\n\s+at |hunter2/);
  });

  it("is worth a retry only while a store is unavailable", () => {
    const [starting, full] = [refusal("57P03"), refusal("53100")];
    for (const error of [refused, new AggregateError([refused]), starting, full])
      expect(isStoreUnavailable(error), String(error)).toBe(true);
    expect(isStoreUnavailable(new KeyStoreUnavailable("away", { cause: refused }))).toBe(true);
    expect(isStoreUnavailable(new SuppressedError(new Error("clean-up"), refused))).toBe(true);
    const final = ["28P01", "3D000", "53300", "42501", "42P01"].map(refusal);
    for (const error of [
      ...final,
      denied,
      new TypeError("x"),
      new WrongMasterKey("other"),
      undefined,
    ])
      expect(isStoreUnavailable(error), String(error)).toBe(false);
    expect(isStoreUnavailable(new CannotStart("Why.", { cause: refused }))).toBe(false);
    for (const error of [otherName, stranger])
      expect(isStoreUnavailable(new KeyStoreUnavailable("away", { cause: error }))).toBe(false);
  });

  it("is a stack trace if the cause is unknown", () => {
    expect(explainFailure(new TypeError("x is undefined"), "mailer")).toMatch(
      /^The mailer failed: TypeError: x is undefined\nat /,
    );
    expect(explainFailure(refusal("42P01"), "mailer")).not.toContain("hunter2");
  });

  it.each([
    ["EADDRINUSE", /^Port 80 is taken/],
    ["EACCES", /^This user may not listen on port 80/],
    ["EADDRNOTAVAIL", /^HOST names example\.org/],
    ["ENOTFOUND", /^HOST names example\.org/],
  ])("is the address it could not listen on, after %s", (code, sentence) => {
    expect(explainAddress(systemError(code), { host: "example.org", port: 80 })).toMatch(sentence);
    expect(explainAddress(refused, { host: "example.org", port: 80 })).toBeUndefined();
  });
});
