import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAINTENANCE_SENTENCE } from "#contracts/settings/catalogue.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

type Service = Awaited<ReturnType<typeof startQueryApi>>;

const URL = "/prod/api/system/settings";
const soon = { timeout: 10_000, interval: 20 };

let service: Service;
let revision = -1;
beforeAll(async () => {
  service = await startQueryApi({ limits: "on" });
});
afterAll(() => service.close());

/** Writes the row as the projector does. */
async function set(values: object, more: object = {}): Promise<void> {
  revision += 1;
  await service.db.query(
    `insert into settings.present (stream, state, changes) values ('settings', $1, $2)
     on conflict (stream) do update set state = excluded.state, changes = excluded.changes`,
    [
      JSON.stringify({ values, changedBy: {}, revision, ...more }),
      JSON.stringify({
        debugMode: { by: service.accounts.admin, at: "2026-11-24T08:00:00.000Z" },
      }),
    ],
  );
}
const read = async () => (await service.get(URL, { as: "admin" })).json().data;
const site = async () => (await service.get("/prod/api/site")).json().data;

describe("the settings", () => {
  it("are the spec's defaults before anyone has changed them", async () => {
    expect(await read()).toMatchObject({
      maintenanceMode: false,
      emailNotifications: true,
      debugMode: false,
      rateLimitEnabled: true,
      revision: -1,
      changes: {},
      otherwise: {
        backupTime: "02:00",
        backupKeep: 7,
        supportEmail: "support@registry.test",
        salesEmail: "support@registry.test",
      },
    });
    expect(await site()).not.toHaveProperty("maintenance");
  });

  it("are the saved values, with who last changed each", async () => {
    await set({ debugMode: true });
    expect(await read()).toMatchObject({
      debugMode: true,
      revision,
      changes: { debugMode: { at: "2026-11-24T08:00:00.000Z" } },
    });
    // A new support address also applies to sales, since no sales address is set.
    await set({ supportEmail: "desk@shop.example" });
    await expect
      .poll(async () => (await read()).otherwise, soon)
      .toMatchObject({ supportEmail: "support@registry.test", salesEmail: "desk@shop.example" });
    await set({});
  });
});

describe("the site's facts", () => {
  it("follows the settings without a restart, in every process", async () => {
    const other = await service.startProcess();
    const elsewhere = async () =>
      (await other.app.inject({ url: "/prod/api/site" })).json().data.maintenance;
    const until = "2026-11-25T08:00:00.000Z";
    await set({ maintenanceMode: true, maintenanceUntil: until });
    await expect.poll(elsewhere, soon).toEqual({ message: MAINTENANCE_SENTENCE, until });
    await set({ maintenanceMode: true, maintenanceMessage: "Moving house" });
    await expect.poll(elsewhere, soon).toEqual({ message: "Moving house" });
    await set({ maintenanceMode: false, maintenanceMessage: "Moving house" });
    await expect.poll(elsewhere, soon).toBeUndefined();
  });

  it("includes detailed logging, for the site's own server", async () => {
    await set({ debugMode: true });
    await service.moveTo(7, ["settings"]);
    await expect.poll(async () => (await site()).debug, soon).toBe(true);
    await set({});
    await expect.poll(async () => (await site()).debug, soon).toBeUndefined();
  });

  it("includes lifted read limits, for the site's own server, until they expire", async () => {
    await set({ rateLimitEnabled: false }, { rateLimitOffUntil: "2100-01-01T00:00:00.000Z" });
    await expect.poll(async () => (await site()).unlimited, soon).toBe(true);
    await set({ rateLimitEnabled: false }, { rateLimitOffUntil: "2026-01-01T00:00:00.000Z" });
    await expect.poll(async () => (await site()).unlimited, soon).toBeUndefined();
  });
});

describe("addresses and periods set by admins", () => {
  it("appear in the site's facts and texts, in every process, until they are undone", async () => {
    const other = await service.startProcess();
    const privacy = async () => {
      const reply = await other.app.inject({ url: "/prod/api/content/privacy" });
      const { html } = reply.json().data;
      return [html.includes("90 days after the rejection"), html.includes("desk@shop.example")];
    };
    const address = async () =>
      (await other.app.inject({ url: "/prod/api/site" })).json().data.support_email;
    expect([await privacy(), await address()]).toEqual([[false, false], undefined]);
    await set({ keepRejectedReports: 90, supportEmail: "desk@shop.example" });
    await expect.poll(privacy, soon).toEqual([true, true]);
    await expect.poll(address, soon).toBe("desk@shop.example");
    await set({});
    await expect.poll(privacy, soon).toEqual([false, false]);
  });
});

describe("limits", () => {
  const searches = async (ip: string) => {
    const statuses = new Set<number>();
    for (let n = 0; n < 15; n += 1)
      statuses.add((await service.get(`/prod/api/reports/search?q=word${n}`, { ip })).statusCode);
    return [...statuses];
  };

  it("on searching alone are lifted until the hour is over", async () => {
    expect(await searches("192.0.2.1")).toEqual([200, 429]);
    const rateLimitOffUntil = new Date(Date.now() + 3_600_000).toISOString();
    await set({ rateLimitEnabled: false }, { rateLimitOffUntil });
    await expect.poll(async () => (await read()).rateLimitEnabled, soon).toBe(false);
    await expect.poll(() => searches("192.0.2.1"), soon).toEqual([200]);
    const contacts = new Set<number>();
    const account = await service.addAccount();
    for (let n = 0; n < 6; n += 1) {
      const url = `/prod/api/reports/search?q=person${n}@example.net`;
      contacts.add((await service.get(url, { as: { account }, ip: "192.0.2.2" })).statusCode);
    }
    expect([...contacts]).toEqual([200, 429]);
    await set({ rateLimitEnabled: false }, { rateLimitOffUntil: "2026-01-01T00:00:00.000Z" });
    // A new visitor each time: the limit may return just after one has used up the allowed searches.
    let visitor = 3;
    await expect.poll(() => searches(`192.0.2.${visitor++}`), soon).toEqual([200, 429]);
  });
});
