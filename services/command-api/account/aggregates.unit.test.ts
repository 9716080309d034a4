import { expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { browser } from "../testing/accounts.fixture.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { sessionAggregate } from "./session.aggregate.ts";

const visitor = browser(new Date());
const staff = { ...visitor, actor: { id: "s", role: "admin" } } as const;

it.each([
  ["an account", accountAggregate("a")],
  ["a session", sessionAggregate("1", "a")],
])(
  "seals the client address of an actor on %s under the actor's own key",
  (_what, { clientSubject }) => {
    expect(clientSubject(staff)).toBe(subjects.account("s"));
    expect(clientSubject(visitor)).toBe(subjects.account("a"));
  },
);
