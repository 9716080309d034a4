import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { accountRegistered, link } from "#test-kit/account-events.ts";
import { forTest } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportDeleted,
  reportErased,
  reporterErased,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import { KeyStoreUnavailable } from "#vault/keys/key-store.ts";
import { openFixture } from "../testing/projector.fixture.ts";
import { Shredder } from "./shredder.ts";

const fixture = forTest(openFixture);

async function statesOf(id: string): Promise<string[]> {
  const keys = await fixture.stores.keys.get([subjects.personal(id), subjects.reporter(id)]);
  return [...keys.values()].map(({ state }) => state);
}

describe("the shredder", () => {
  it("destroys both keys of an erased report, and no others, at the time of the erasure", async () => {
    const [gone, kept] = [randomUUID(), randomUUID()];
    const projector = await fixture.start();
    await projector.ready();
    await fixture.report(kept, [reportSubmitted(), reportApproved()]);
    const time = "2026-11-21T10:00:00.000Z";
    await fixture.report(gone, [reportSubmitted()]);
    await fixture.report(gone, [reportDeleted(), reportErased()], { time });
    await eventually("keys are destroyed", async () =>
      (await statesOf(gone)).every((state) => state === "destroyed"),
    );
    expect(await statesOf(kept)).toEqual(["present", "present"]);
    const key = await fixture.stores.keys.get([subjects.personal(gone)]);
    expect(key.get(subjects.personal(gone))).toEqual({ state: "destroyed", at: time });
  });

  it("keeps the keys of a report that is deleted but not erased yet", async () => {
    const id = randomUUID();
    await fixture.report(id, [reportSubmitted(), reportDeleted()]);
    const projector = await fixture.start();
    await projector.ready();
    expect(await statesOf(id)).toEqual(["present", "present"]);
  });

  it("destroys only the reporter's key when the reporter is erased", async () => {
    const id = randomUUID();
    await fixture.report(id, [reportSubmitted(), reporterErased()]);
    const projector = await fixture.start();
    await projector.ready();
    expect(await statesOf(id)).toEqual(["present", "destroyed"]);
  });

  it("destroys an erased account's key and the reporters' keys listed under it", async () => {
    const [account, own, others] = [randomUUID(), randomUUID(), randomUUID()];
    const { keys } = fixture.stores;
    for (const [report, owner] of [
      [own, account],
      [others, randomUUID()],
    ] as const) {
      await keys.ensure([{ subject: subjects.reporter(report), owner }]);
      await fixture.report(report, [reportSubmitted()]);
    }
    const blind = { email: "keyed hash" };
    const profile = { email: "ann@b.example", first_name: "Ann", last_name: "Bo", blind };
    await fixture.writer.append(streams.user(account), [
      { type: "AccountAdded", data: { role: "user", account: profile } },
      { type: "AccountErased", data: {} },
    ]);
    const projector = await fixture.start();
    await projector.ready();
    const key = await keys.get([subjects.account(account)]);
    expect(key.get(subjects.account(account))?.state).toBe("destroyed");
    expect(await statesOf(own)).toEqual(["present", "destroyed"]);
    expect(await statesOf(others)).toEqual(["present", "present"]);
  });

  it.each([
    { type: "AccountReplaced", data: { replaced_by: randomUUID() } },
    { type: "AccountExpired", data: {} },
  ] as const)("destroys an unconfirmed account's key, and no reporter's: $type", async (event) => {
    const [account, own] = [randomUUID(), randomUUID()];
    const { keys } = fixture.stores;
    await keys.ensure([{ subject: subjects.reporter(own), owner: account }]);
    await fixture.report(own, [reportSubmitted()]);
    const first = accountRegistered({ link: link(randomUUID()) });
    await fixture.writer.append(streams.user(account), [first, event]);
    const projector = await fixture.start();
    await projector.ready();
    const key = await keys.get([subjects.account(account)]);
    expect(key.get(subjects.account(account))?.state).toBe("destroyed");
    expect(await statesOf(own)).toEqual(["present", "present"]);
  });

  it("destroys the key of an erased inquiry", async () => {
    const id = randomUUID();
    const { keys } = fixture.stores;
    const sender = { name: "Ann", email: "ann@acme.example", answers: [] };
    await fixture.writer.append(streams.inquiry(id), [
      { type: "InquiryReceived", data: { kind: "enterprise", sender } },
      { type: "InquiryErased", data: { by: "retention" } },
    ]);
    const projector = await fixture.start();
    await projector.ready();
    const key = await keys.get([subjects.inquiry(id)]);
    expect(key.get(subjects.inquiry(id))?.state).toBe("destroyed");
  });

  it("destroys them again, before the projector is ready, after an older copy was restored", async () => {
    const id = randomUUID();
    await fixture.report(id, [reportSubmitted({ personal: { title: "Canary-title" } })]);
    await fixture.rows("create table older as select * from keys.subject_key");
    const first = await fixture.start();
    await first.ready();
    await fixture.reached(
      await fixture.report(id, [reportApproved(), reportDeleted(), reportErased()]),
    );
    await eventually("keys are destroyed", async () => !(await statesOf(id)).includes("present"));
    await first.stop();
    await fixture.rows("delete from keys.subject_key");
    await fixture.rows("insert into keys.subject_key select * from older");
    expect(await statesOf(id)).toEqual(["present", "present"]);
    const second = await fixture.start();
    await second.ready();
    expect(await statesOf(id)).toEqual(["destroyed", "destroyed"]);
    expect(await fixture.rows("select 1 from reports.report")).toEqual([]);
  });

  it("is not ready while the key store is down, reports it, and resumes when it is back", async () => {
    const { stores, log } = fixture;
    const id = randomUUID();
    await fixture.report(id, [reportSubmitted(), reportDeleted(), reportErased()]);
    let away = true;
    const keys = new Proxy(stores.keys, {
      get(target, property) {
        if (away && property === "get")
          return () => Promise.reject(new KeyStoreUnavailable("away"));
        const value = Reflect.get(target, property, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const shredder = new Shredder({
      store: stores.store,
      keys,
      log,
      retry: { minMs: 10, maxMs: 10 },
    });
    shredder.start();
    await eventually("it says so", () => shredder.check().detail?.cause === "KeyStoreUnavailable");
    expect(shredder.check().ok).toBe(false);
    away = false;
    await shredder.caughtUp();
    expect(shredder.check()).toEqual({ ok: true, detail: { caughtUp: true, destroyed: 2 } });
    expect(await statesOf(id)).toEqual(["destroyed", "destroyed"]);
    await shredder.stop();
  });
});
