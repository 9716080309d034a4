import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inquiryForms } from "#contracts/inquiry/inquiry-forms.ts";
import { subjects } from "#contracts/sealed.ts";
import { verifyLog } from "#event-store/audit-verify.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { openFileStore } from "#files/file-stores.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import type { MadeBackup } from "#ops/backup/backups.ts";
import type { Installation } from "#ops/backup/source.ts";
import { photo } from "#pictures/testing/made-files.ts";
import { PROCESSORS } from "#read-model/tables/processor.ts";
import { newEnvelope, systemCaller } from "#services/command-api/kernel/envelope.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { reachedPosition } from "#test-kit/reached-position.ts";
import {
  type Erasure,
  type ErasureLedger,
  openErasureLedger,
} from "#vault/erasures/erasure-ledger.ts";
import { emptyEventStoreDB } from "./event-store.ts";
import { inquiryWithCanaries } from "./file-canaries.ts";
import { type System, startSystem } from "./in-process.ts";
import { approve, badCheck, chargeback, eraseReport, submit } from "./reports.ts";
import {
  installationOf,
  makeBackup,
  placesIn,
  type Restored,
  readModelsOf,
  restoreInto,
  startRestored,
} from "./restored.ts";

const PASSWORD = "Correct-horse-9";
const now = () => new Date().toISOString();
async function erasuresIn(ledger: ErasureLedger): Promise<Erasure[]> {
  const found: Erasure[] = [];
  for await (const erasure of ledger.read()) found.push(erasure);
  return found;
}
/** Housekeeping may end sessions at any time. */
const isNoEnd = ({ type }: Pick<StoredEvent, "type">) => type !== "SessionEnded";

/** Tests what a backup holds and restores, with the log in one of its two stores. */
export function backupSuite(logIn: "PostgreSQL" | "EventStoreDB"): void {
  describe(`a backup with its log in ${logIn}`, { timeout: 120_000 }, () => {
    const closing: (() => Promise<unknown>)[] = [];
    let folder: string;
    let system: System;
    let source: Installation;
    let backup: MadeBackup;
    let rows: Map<string, string[]>;
    let events: StoredEvent[];
    const reports: Record<string, string> = {};
    const accounts: Record<string, string> = {};
    let evidence = "";
    let inquiry = "";
    let session: { token: string; refreshToken: string };

    /** URL of an empty log; undefined for one in the database. */
    async function emptyLog(): Promise<string | undefined> {
      if (logIn === "PostgreSQL") return undefined;
      const server = await emptyEventStoreDB();
      closing.push(() => server.close());
      return server.url;
    }

    async function eventsOf(store: System["commandApi"]["store"]): Promise<StoredEvent[]> {
      const found: StoredEvent[] = [];
      for await (const event of store.readAll()) found.push(event);
      return found;
    }

    const addAccount = async (name: string) => {
      const email = `${name}@shop.example`;
      const account = {
        email,
        password: PASSWORD,
        role: "user" as const,
        firstName: name,
        lastName: "Bo",
      };
      await system.commandApi.accounts.add(account, systemCaller(now()));
      return (await system.commandApi.accounts.idOf(email)) ?? "";
    };

    const upload = async () => {
      const headers = { "content-type": "application/octet-stream" };
      const raw = await photo("jpeg");
      const answer = await system.call("POST", "/prod/api/uploads", { raw, headers });
      const { id, secret } = answer.json().data;
      return { id, secret, name: "invoice.jpg" };
    };

    async function remove(name: string): Promise<void> {
      const url = `/prod/api/admin/reports/${reports[name]}`;
      const answer = await system.call("DELETE", url, { as: "admin", body: {} });
      expect(answer.statusCode, answer.body).toBe(200);
    }

    const login = (name: string) =>
      system.commandApi.app.inject({
        method: "POST",
        url: "/prod/api/auth/login",
        payload: { email: `${name}@shop.example`, password: PASSWORD },
      });

    /** Deletes the account as its owner. */
    async function closeAccount(name: string): Promise<void> {
      const { token } = (await login(name)).json().data;
      const answer = await system.commandApi.app.inject({
        method: "DELETE",
        url: "/prod/api/auth/account",
        headers: { authorization: `Bearer ${token}` },
        payload: { password: PASSWORD },
      });
      expect(answer.statusCode, answer.body).toBe(200);
    }

    const eraseReporter = (id: string) =>
      system.commandApi.reports.execute(
        id,
        { type: "EraseReporter" },
        newEnvelope(systemCaller(now())),
      );

    beforeAll(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), "registry-backup-"));
      closing.push(() => rm(folder, { recursive: true, force: true }));
      const erasuresUrl = pathToFileURL(path.join(folder, "erasures")).href;
      const eventStoreUrl = await emptyLog();
      system = await startSystem({ erasuresUrl, ...(eventStoreUrl ? { eventStoreUrl } : {}) });
      closing.push(() => system.close());
      source = installationOf(system, { eventStoreUrl, erasuresUrl });

      const file = await upload();
      evidence = file.id;
      reports.stays = await submit(system, { ...chargeback, last_name: "Stays", evidence: [file] });
      for (const name of ["Before", "After", "Reporter", "Hidden", "Undone"])
        reports[name.toLowerCase()] = await submit(system, { ...chargeback, last_name: name });
      reports.waiting = await submit(system, badCheck);
      for (const name of ["stays", "before", "after", "reporter", "hidden", "undone"])
        await approve(system, reports[name] as string);
      for (const name of ["stays", "early", "late", "closed", "reopened"])
        accounts[name] = await addAccount(name);
      await closeAccount("reopened");
      const sent = await system.call("POST", inquiryForms.enterprise.path, {
        body: inquiryWithCanaries("enterprise"),
      });
      expect(sent.statusCode, sent.body).toBe(200);

      await remove("undone");
      await remove("before");
      await eraseReport(system, reports.before as string);
      await system.commandApi.accountEraser.erase(accounts.early as string, systemCaller(now()));
      const { store } = system.commandApi;
      await reachedPosition(system.db, PROCESSORS, await store.head());
      session = await system.signIn("user");
      await reachedPosition(system.db, PROCESSORS, await store.head());
      rows = await readModelsOf(system.db, system.commandApi.keys);
      events = await eventsOf(store);
      inquiry = events.find(({ type }) => type === "InquiryReceived")?.stream.slice(8) ?? "";
      backup = await makeBackup(source, placesIn(folder));
    }, 180_000);
    afterAll(async () => {
      for (const close of closing.reverse()) await close();
    });

    /** Returns an empty installation with the system's master key and ledger. */
    async function emptyInstallation(name: string): Promise<Installation> {
      const database: TestDatabase = await freshDatabase();
      closing.push(() => database.drop());
      return {
        ...source,
        databaseUrl: database.url,
        keysUrl: database.url,
        eventStoreUrl: (await emptyLog()) ?? database.url,
        filesUrl: pathToFileURL(path.join(folder, name)).href,
      };
    }

    async function started(installation: Installation): Promise<Restored> {
      const restored = await startRestored(installation);
      closing.push(() => restored.close());
      return restored;
    }

    it("has every event and file", () => {
      expect(backup).toMatchObject({ events: events.length });
      expect(backup.files).toBeGreaterThan(0);
    });

    describe("restored on an empty machine", () => {
      let installation: Installation;
      let restored: Restored;
      beforeAll(async () => {
        installation = await emptyInstallation("equal");
        await restoreInto(installation, backup.name, placesIn(folder));
        restored = await started(installation);
      }, 180_000);

      it("has read models that are equal row by row", async () => {
        const found = await eventsOf(restored.commandApi.store);
        const withoutPlace = ({ position: _, ...event }: StoredEvent) => event;
        expect(found.slice(0, events.length).map(withoutPlace)).toEqual(events.map(withoutPlace));
        const later = found.slice(events.length).map(({ type, data }) => ({ type, data }));
        expect(later.filter(isNoEnd)).toEqual([{ type: "LogRestored", data: {} }]);
        expect((await verifyLog(restored.commandApi.store)).fault).toBeUndefined();

        const models = await readModelsOf(restored.db, restored.commandApi.keys);
        expect([...models.keys()]).toEqual([...rows.keys()]);
        for (const [table, expected] of rows)
          expect(
            models.get(table)?.filter((row) => !/LogRestored|SessionEnded/.test(row)),
            table,
          ).toEqual(expected);
        const files = new SealedFiles({
          files: await openFileStore(installation.filesUrl),
          keys: restored.commandApi.keys,
        });
        expect((await files.get(evidence)).state).toBe("present");
      });

      it("has its accounts, but rejects the tokens of earlier sessions", async () => {
        const profile = ({ app }: Pick<Restored["queryApi"], "app">, token: string) =>
          app.inject({
            url: "/prod/api/auth/profile",
            headers: { authorization: `Bearer ${token}` },
          });
        expect((await profile(system.queryApi, session.token)).statusCode).toBe(200);
        expect((await profile(restored.queryApi, session.token)).statusCode).toBe(401);
        const renewed = await restored.commandApi.app.inject({
          method: "POST",
          url: "/prod/api/auth/refresh",
          payload: { refreshToken: session.refreshToken },
        });
        expect(renewed.statusCode, renewed.body).toBe(401);
        const again = await restored.signIn("stays@shop.example", PASSWORD);
        expect((await profile(restored.queryApi, again.json().data.token)).statusCode).toBe(200);
        const open = "select from command.session where ended_at is null";
        expect((await restored.db.query(open)).rowCount).toBe(1);
        expect((await restored.signIn("early@shop.example", PASSWORD)).statusCode).toBe(401);
      });
    });

    it("erases and hides again what was erased or hidden after it was made, and leaves the rest", async () => {
      const { commandApi } = system;
      await remove("after");
      await eraseReport(system, reports.after as string);
      await remove("hidden");
      const undo = `/prod/api/admin/reports/${reports.undone}/undo-deletion`;
      expect((await system.call("POST", undo, { as: "admin", body: {} })).statusCode).toBe(200);
      await eraseReporter(reports.reporter as string);
      await closeAccount("closed");
      expect((await login("reopened")).statusCode).toBe(200);
      await commandApi.accountEraser.erase(accounts.late as string, systemCaller(now()));
      expect(await commandApi.inquiries.eraseById(inquiry, systemCaller(now()))).toBe(true);

      const installation = await emptyInstallation("erased");
      const ledger = openErasureLedger(source.erasuresUrl ?? "");
      const destroyed = await erasuresIn(ledger);
      await restoreInto(installation, backup.name, placesIn(folder));
      // No key of the ledger came back, or it would have been destroyed and recorded again.
      expect(await erasuresIn(ledger)).toEqual(destroyed);
      const restored = await started(installation);

      const of = (name: string) => reports[name] as string;
      const erased = [
        ...["before", "after"].flatMap((name) => [
          subjects.personal(of(name)),
          subjects.reporter(of(name)),
        ]),
        subjects.reporter(of("reporter")),
        subjects.account(accounts.early as string),
        subjects.account(accounts.late as string),
        subjects.inquiry(inquiry),
      ];
      const kept = [
        ...["hidden", "undone"].map((name) => subjects.personal(of(name))),
        subjects.personal(of("reporter")),
        subjects.personal(of("stays")),
        subjects.reporter(of("stays")),
        subjects.account(accounts.stays as string),
        subjects.file(evidence),
      ];
      const states = await restored.commandApi.keys.get([...erased, ...kept]);
      for (const subject of erased) expect(states.get(subject)?.state, subject).toBe("destroyed");
      for (const subject of kept) expect(states.get(subject)?.state, subject).toBe("present");

      const later = (await eventsOf(restored.commandApi.store)).slice(events.length);
      expect(
        later
          .filter(isNoEnd)
          .map(({ type, stream }) => `${type} ${stream}`)
          .sort(),
      ).toEqual(
        [
          `AccountErased user-${accounts.late}`,
          `InquiryErased inquiry-${inquiry}`,
          "LogRestored log",
          `ReportDeleted report-${of("after")}`,
          `ReportErased report-${of("after")}`,
          `ReporterErased report-${of("reporter")}`,
          `ReportDeleted report-${of("hidden")}`,
          `ReportDeletionUndone report-${of("undone")}`,
          `AccountClosed user-${accounts.closed}`,
          `AccountReopened user-${accounts.reopened}`,
        ].sort(),
      );
      const hidden = await restored.commandApi.reports.load(of("hidden"));
      const { deletion } = (await commandApi.reports.load(of("hidden"))) ?? {};
      expect(hidden?.deletion?.erase_at).toBe(deletion?.erase_at ?? "never deleted");
      const closed = (stored: readonly StoredEvent[]) =>
        stored.find(
          ({ type, stream }) => type === "AccountClosed" && stream === `user-${accounts.closed}`,
        )?.data;
      expect(closed(later)).toEqual(closed(await eventsOf(commandApi.store)));
      const mails = "select kind from outbox.mail where state = 'queued'";
      expect((await restored.db.query(mails)).rows).toEqual([]);
      expect((await restored.signIn("late@shop.example", PASSWORD)).statusCode).toBe(401);
      expect((await restored.signIn("stays@shop.example", PASSWORD)).statusCode).toBe(200);
      const opened = async (name: string) =>
        (await restored.signIn(`${name}@shop.example`, PASSWORD)).json().data.deletion_canceled;
      expect([await opened("closed"), await opened("reopened")]).toEqual([true, undefined]);
      const recent = await restored.queryApi.app.inject("/prod/api/reports/recent");
      const names = recent.json().data.map((report: { last_name: string }) => report.last_name);
      expect(names.sort()).toEqual(["Reporter", "Stays", "Undone"]);
    });
  });
}
