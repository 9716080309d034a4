import { describe, expect, it } from "vitest";
import type { RegistryEvent } from "#contracts/events/index.ts";
import { accountRegistered, emailConfirmed, profileEdited } from "#test-kit/account-events.ts";
import { reportApproved, reportDeleted } from "#test-kit/report-events.ts";
import type { OpenedEvent } from "../../daemon/projection.ts";
import { folded, ID } from "../../testing/folded.ts";
import { OpenedLog, positionAt, timeAt } from "../../testing/opened.ts";
import { actors, auditStatus, entries } from "./audit.projection.ts";

const client = { key: "reporter-x", box: "sealed" };

function opened(stream: string, event: RegistryEvent, metadata = {}) {
  const [only] = new OpenedLog().add(stream, event, metadata).take();
  if (!only) throw new Error("no event");
  return only;
}

const entryOf = (event: OpenedEvent) =>
  folded(entries, new Map(), [event]).changed.get(event.stored.position);
const actorOf = (event: OpenedEvent) => folded(actors, new Map(), [event]).changed.get(ID);

describe("the audit log", () => {
  it("shows what each setting was changed to, without what is sealed", () => {
    const event = opened("settings", {
      type: "SettingsChanged",
      data: {
        backup_keep: 14,
        reject_reasons_off: ["no_evidence", "duplicate"],
        told: [ID],
        content: { support_email: "desk@shop.example" },
      },
    });
    expect(entryOf(event)?.details).toEqual({
      backup_keep: 14,
      reject_reasons_off: "no_evidence,duplicate",
    });
  });

  it("has an entry for an event, with its sealed client unchanged", () => {
    const actor = { id: "22222222-2222-4222-8222-222222222222", role: "admin" as const };
    const event = opened(`report-${ID}`, reportApproved(), {
      actor,
      client,
      command: "ApproveReport",
    });
    expect(entryOf(event)).toEqual({
      position: positionAt(1),
      event_id: event.stored.id,
      at: timeAt(1),
      actor_id: actor.id,
      actor_role: "admin",
      command: "ApproveReport",
      event_type: "ReportApproved",
      stream: `report-${ID}`,
      revision: 0,
      schema_version: 1,
      status: "success",
      origin: "live",
      report_id: ID,
      details: null,
      client,
    });
  });

  it("names whose email was read, and the report whose file was opened", () => {
    const mail = {
      mail_id: `mail-${ID}`,
      kind: "approved",
      owner: "report",
      owner_id: ID,
    } as const;
    const looks: RegistryEvent[] = [
      { type: "MailViewed", data: mail },
      { type: "EvidenceViewed", data: { report_id: ID, file_id: ID } },
    ];
    for (const look of looks) expect(entryOf(opened("access-1", look))?.report_id).toBe(ID);
  });

  it("names the report whose sealed data was opened", () => {
    const viewed = opened("access-1", {
      type: "PersonalDataViewed",
      data: { report_id: ID, revision: 2, parts: ["personal"], files: [] },
    });
    expect(entryOf(viewed)).toMatchObject({ report_id: ID, stream: "access-1", client: null });
    expect(entryOf(opened("log", { type: "LogStarted", data: {} }))?.report_id).toBeNull();
  });

  it("shows what was exported and why something was refused, and nothing that is sealed", () => {
    const details = (event: RegistryEvent) => entryOf(opened("x-1", event))?.details;
    const what = { list: "users", format: "csv", rows: 3 };
    const account = { filter: { search: "zoe@example.net" } };
    expect(details({ type: "ListExported", data: { ...what, account } })).toEqual(what);
    const security = { email: "zoe@example.net" };
    const cause = "wrong_password";
    expect(details({ type: "SignInFailed", data: { cause, security } })).toEqual({ cause });
    const refused = { method: "GET", route: "/x", code: "forbidden", count: 2 };
    expect(details({ type: "CallRefused", data: refused })).toEqual(refused);
    expect(details({ type: "LogRestored", data: {} })).toBeNull();
    expect(details(reportDeleted())).toBeNull();
  });

  it("distinguishes refusals and warnings from success", () => {
    const status = (event: RegistryEvent) => auditStatus(opened("x-1", event));
    const cause = "wrong_password";
    expect(status({ type: "SignInFailed", data: { cause } })).toBe("failure");
    const refused = { method: "GET", route: "/x", code: "forbidden", count: 1 };
    expect(status({ type: "CallRefused", data: refused })).toBe("failure");
    expect(status({ type: "SessionEnded", data: { cause: "refresh_token_reused" } })).toBe(
      "warning",
    );
    expect(status({ type: "SessionEnded", data: { cause: "signed_out" } })).toBe("success");
    expect(status({ type: "SessionsEnded", data: { cause: "signed_out" } })).toBe("success");
    const link = { link_id: ID, expires_at: "2026-11-22T10:00:00.000Z" };
    expect(status({ type: "DeviceConfirmationRequested", data: { link } })).toBe("warning");
    expect(status({ type: "LogRestored", data: {} })).toBe("warning");
    expect(status(reportApproved("pending", false))).toBe("warning");
    expect(status(reportApproved("pending", true))).toBe("success");
    expect(status(reportDeleted())).toBe("success");
  });

  it("keeps an account's profile sealed, with the place it was sealed for", () => {
    const added = opened(`user-${ID}`, { type: "AccountAdded", data: { role: "auditor" } });
    const account = { key: `account-${ID}`, box: "sealed" };
    expect(actorOf({ ...added, stored: { ...added.stored, data: { account } } })).toEqual({
      actor_id: ID,
      role: "auditor",
      event_id: added.stored.id,
      stream: `user-${ID}`,
      event_type: "AccountAdded",
      schema_version: 1,
      account,
      added_at: timeAt(1),
    });
    expect(
      actorOf(opened(`user-${ID}`, { type: "AccountUnbanned", data: { by: "end" } })),
    ).toBeUndefined();
  });

  it("keeps a registered account's profile as last edited, and forgets what was dropped", () => {
    const stream = `user-${ID}`;
    const sealed = (n: number) => ({ key: `account-${ID}`, box: `sealed ${n}` });
    const history = [
      accountRegistered(),
      profileEdited(["bio"], { bio: "Lamps" }),
      emailConfirmed(false),
      emailConfirmed(true),
    ].map((event, n) => {
      const { stored, ...rest } = opened(stream, event);
      return { ...rest, stored: { ...stored, data: { account: sealed(n) } } };
    });
    const boxes = history.map((_, n) => {
      const row = folded(actors, new Map(), history.slice(0, n + 1)).changed.get(ID);
      return [row?.event_type, (row?.account as { box: string } | null)?.box, row?.role];
    });
    expect(boxes).toEqual([
      ["AccountRegistered", "sealed 0", "user"],
      ["ProfileEdited", "sealed 1", "user"],
      ["ProfileEdited", "sealed 1", "user"],
      ["EmailConfirmed", "sealed 3", "user"],
    ]);
  });
});
