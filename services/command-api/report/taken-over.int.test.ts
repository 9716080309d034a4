import { describe, expect, it, onTestFinished, vi } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { forFile } from "#test-kit/for-file.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { AccountStreams } from "../export/account-streams.ts";
import { SubmissionSweep } from "../housekeeping/housekeeping.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { CommandHandler } from "../kernel/handler.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { emailChangeCalls } from "../testing/email-changes.fixture.ts";
import { erasureFollower } from "../testing/erasure-follower.fixture.ts";
import { eventsOf, SUBMIT, submit, verificationToken } from "../testing/reports.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";

const fixture = forFile(() => startCommandApi());

const calls = emailChangeCalls(() => fixture);
const { change, member, pending, registrationOf, send, setPassword, signIn, undo, undoOf } = calls;
const OTHER = "Better-stapler-8";
const system = () => systemCaller(new Date().toISOString());

const post = (
  url: string,
  token: string,
  payload: object = {},
  headers: Record<string, string> = {},
) => fixture.call("POST", url, { body: payload, token, headers });
const claim = (id: string, token: string) => post(`/prod/api/account/reports/${id}/claim`, token);
const open = async (id: string, token: string) => {
  await send("prove", { password: OTHER }, token);
  return (await post(`/prod/api/account/reports/${id}/open`, token)).statusCode;
};
const exportedIds = async (token: string) => {
  const { reports } = (await post("/prod/api/auth/export", token)).json().data;
  return reports.map(({ id }: { id: string }) => id);
};
/** A report that a visitor submitted from the address and confirmed. */
async function fromVisitor(email: string): Promise<string> {
  const id = await submit(fixture, { ...chargeback, reporter_email: email });
  const url = `/prod/api/verify-email/${await verificationToken(fixture, id)}`;
  expect((await fixture.call("POST", url, { body: {} })).statusCode).toBe(200);
  return id;
}
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);
const listed = (accountId: string) => fixture.api.keys.ownedBy(accountId);
const stateOfKey = (id: string) => fixture.keyState(subjects.reporter(id));
/** Undoes the last address change. @returns a token for the owner. */
async function takeBack(account: { id: string; email: string }): Promise<string> {
  const undone = await undo(await undoOf(account.id));
  expect(undone.statusCode, undone.body).toBe(200);
  await setPassword(undone.json().data.reset_token, OTHER);
  return signIn(account.email, OTHER);
}
/** Makes something happen right before a report gets an event of this type. */
function rightBefore(reportEvent: string, happens: () => Promise<unknown>): void {
  const { store } = fixture.api;
  const append = store.append.bind(store);
  const spied = vi.spyOn(store, "append").mockImplementation(async (stream, events, revision) => {
    if (events.some(({ type }) => type === reportEvent)) {
      spied.mockRestore();
      await happens();
    }
    return append(stream, events, revision);
  });
  onTestFinished(() => spied.mockRestore());
}
const follow = () => erasureFollower(fixture).run(new Date().toISOString());

/** What housekeeping does about reports whose process died. */
async function lookAgain(): Promise<void> {
  const { store, keys, reports } = fixture.api;
  const epoch = (await readEpoch(store)) ?? "";
  const handler = new CommandHandler({ store, keys, codec: registryCodec });
  const accountStreams = new AccountStreams({ pool: fixture.db, store, epoch });
  await accountStreams.run();
  const deps = { pool: fixture.db, store, epoch, handler, reports, accountStreams };
  await new SubmissionSweep(deps).run(new Date().toISOString());
}

describe("reports claimed from an address whose change was undone", () => {
  it("belong to no account, and can be claimed by the address's owner", async () => {
    const ann = await member();
    const before = await fromVisitor(ann.email);
    expect((await claim(before, ann.token)).statusCode).toBe(200);
    const other = calls.someAddress();
    const theirs = await fromVisitor(other);
    const moved = await change(ann, other);
    expect((await claim(theirs, moved.token)).statusCode).toBe(200);
    const token = await takeBack(ann);
    expect((await eventsOf(fixture, theirs)).at(-1)).toMatchObject({
      type: "ReportDisowned",
      data: { account_id: ann.id, cause: "address_change_undone" },
    });
    expect([await open(before, token), await open(theirs, token)]).toEqual([200, 404]);
    expect(await exportedIds(token)).toEqual([before]);
    expect(await listed(ann.id)).toEqual([subjects.reporter(before)]);
    const bea = await member("user", other);
    expect((await claim(theirs, bea.token)).statusCode).toBe(200);
    await follow();
    expect(await listed(bea.id)).toEqual([subjects.reporter(theirs)]);
    await fixture.api.accountEraser.erase(ann.id, system());
    expect([await stateOfKey(before), await stateOfKey(theirs)]).toEqual(["destroyed", "present"]);
  });

  it("belong to no account even if the process died after the undo", async () => {
    const ann = await member();
    const other = calls.someAddress();
    const theirs = await fromVisitor(other);
    const moved = await change(ann, other);
    await claim(theirs, moved.token);
    const died = vi
      .spyOn(fixture.api.accountEraser, "disownUndone")
      .mockRejectedValueOnce(new Error("died"));
    onTestFinished(() => died.mockRestore());
    expect((await undo(await undoOf(ann.id))).statusCode).toBe(500);
    expect(await typesOf(theirs)).not.toContain("ReportDisowned");
    await follow();
    await follow();
    expect((await typesOf(theirs)).filter((type) => type === "ReportDisowned")).toHaveLength(1);
    expect(await listed(ann.id)).toEqual([]);
  });

  it("belong to no account even if the claim and the undo are concurrent", async () => {
    const ann = await member();
    const other = calls.someAddress();
    const theirs = await fromVisitor(other);
    const moved = await change(ann, other);
    let token = "";
    rightBefore("ReportClaimed", async () => {
      token = await takeBack(ann);
    });
    await claim(theirs, moved.token);
    expect(await typesOf(theirs)).toContain("ReportClaimed");
    expect((await typesOf(theirs)).at(-1)).toBe("ReportDisowned");
    expect([await open(theirs, token), await listed(ann.id)]).toEqual([404, []]);
  });

  it("stay if they were claimed before the change or after the undo", async () => {
    const ann = await member();
    await change(ann);
    const token = await takeBack(ann);
    const later = await fromVisitor(ann.email);
    expect((await claim(later, token)).statusCode).toBe(200);
    await follow();
    expect(await typesOf(later)).not.toContain("ReportDisowned");
    expect(await open(later, token)).toBe(200);
  });
});

describe("a report that an account submitted while someone else controlled it", () => {
  it("stays with the account, so that its owner sees what was done in their name", async () => {
    const ann = await member();
    const moved = await change(ann);
    const id = (await post(SUBMIT, moved.token, chargeback)).json().data.id;
    const token = await takeBack(ann);
    expect(await typesOf(id)).toEqual(["ReportSubmitted"]);
    expect(await open(id, token)).toBe(200);
  });
});

describe("a report submitted while its account is taken over", () => {
  it("doesn't belong to the new owner", async () => {
    const eve = await pending();
    const link = await registrationOf(eve.id);
    let token = "";
    rightBefore("ReportSubmitted", async () => {
      const body = { start_over: true };
      const confirmed = await fixture.call("POST", `/prod/api/verify-email/${link}`, { body });
      await setPassword(confirmed.json().data.reset_token, OTHER);
      token = await signIn(eve.email, OTHER);
    });
    const sent = await post(SUBMIT, eve.token, chargeback);
    expect(sent.statusCode, sent.body).toBe(200);
    const { id } = sent.json().data;
    expect((await eventsOf(fixture, id)).at(-1)).toMatchObject({
      type: "ReportDisowned",
      data: { account_id: eve.id, cause: "session_over" },
    });
    expect([await open(id, token), await exportedIds(token)]).toEqual([404, []]);
    expect(await listed(eve.id)).toEqual([]);
    expect((await claim(id, token)).statusCode).toBe(404);
    // What the new owner submits is theirs.
    const own = (await post(SUBMIT, token, chargeback)).json().data.id;
    expect([await open(own, token), await listed(eve.id)]).toEqual([200, [subjects.reporter(own)]]);
  });

  it("doesn't belong to the new owner even if the process died before it checked again", async () => {
    const eve = await pending();
    const before = (await post(SUBMIT, eve.token, chargeback)).json().data.id;
    const link = await registrationOf(eve.id);
    let resetToken = "";
    rightBefore("ReportSubmitted", async () => {
      const body = { start_over: true };
      const confirmed = await fixture.call("POST", `/prod/api/verify-email/${link}`, { body });
      resetToken = confirmed.json().data.reset_token;
    });
    const died = vi.spyOn(fixture.api.reports, "disown").mockRejectedValueOnce(new Error("died"));
    onTestFinished(() => died.mockRestore());
    const key = { "idempotency-key": "0123456789abcdef" };
    const sent = await post(SUBMIT, eve.token, chargeback, key);
    expect(sent.statusCode).toBe(500);
    const [subject = ""] = (await listed(eve.id)).filter(
      (each) => each !== subjects.reporter(before),
    );
    const id = subject.slice("reporter-".length);
    expect(await typesOf(id)).toEqual(["ReportSubmitted"]);
    await setPassword(resetToken, OTHER);
    const token = await signIn(eve.email, OTHER);
    const own = (await post(SUBMIT, token, chargeback)).json().data.id;
    for (const _ of [1, 2]) await lookAgain();
    expect(await typesOf(id)).toEqual(["ReportSubmitted", "ReportDisowned"]);
    expect([await open(id, token), await open(own, token)]).toEqual([404, 200]);
    expect(await exportedIds(token)).toEqual([own]);
    expect(await listed(eve.id)).not.toContain(subjects.reporter(id));
    // What was submitted before the confirmation belongs to no one, because of its position in the log.
    expect([await typesOf(before), await typesOf(own)]).toEqual([
      ["ReportSubmitted"],
      ["ReportSubmitted"],
    ]);
    const { rows } = await fixture.db.query("select from command.submission_look");
    expect(rows).toEqual([]);
  });

  it("stays with the account if only the password was changed in the meantime", async () => {
    const ann = await member();
    rightBefore("ReportSubmitted", async () => {
      const payload = { currentPassword: PASSWORD, password: OTHER, confirmPassword: OTHER };
      expect((await send("change-password", payload, ann.token)).statusCode).toBe(200);
    });
    const { id } = (await post(SUBMIT, ann.token, chargeback)).json().data;
    expect(await typesOf(id)).toEqual(["ReportSubmitted"]);
    expect(await open(id, await signIn(ann.email, OTHER))).toBe(200);
  });
});

describe("a report claimed while its account is erased", () => {
  it("loses its reporter immediately", async () => {
    const ann = await member();
    const id = await fromVisitor(ann.email);
    rightBefore("ReportClaimed", () => fixture.api.accountEraser.erase(ann.id, system()));
    await claim(id, ann.token);
    expect((await typesOf(id)).slice(-2)).toEqual(["ReportClaimed", "ReporterErased"]);
    expect(await stateOfKey(id)).toBe("destroyed");
  });
});
