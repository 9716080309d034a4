import { beforeAll, expect, it } from "vitest";
import { type SettingsEvent, streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { openFixture } from "../../testing/projector.fixture.ts";

const fixture = forFile(openFixture);
beforeAll(() => fixture.start());

const [DANA, LEE] = ["1", "2"].map((n) => `7f3d1c52-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
];
const times = ["2026-11-24T08:00:00.000Z", "2026-11-24T09:00:00.000Z"] as const;
const change = async (data: SettingsEvent["data"], by: string, time: string) => {
  const actor = { id: by, role: "admin" } as const;
  const event: SettingsEvent = { type: "SettingsChanged", data };
  const { position } = await fixture.writer.append(streams.settings, [event], { actor, time });
  return position;
};
const rows = () => fixture.rows<Record<string, unknown>>("select * from settings.present");

it("shows the settings and who last changed each, live and after a rebuild", async () => {
  const content = { maintenance_message: "Back at noon" };
  await change({ maintenance_mode: true, content }, DANA, times[0]);
  await fixture.reached(await change({ maintenance_mode: false }, LEE, times[1]));
  const live = await rows();
  expect(live).toEqual([
    {
      stream: "settings",
      state: {
        values: { maintenanceMode: false, maintenanceMessage: "Back at noon" },
        changedBy: { maintenanceMode: 1, maintenanceMessage: 0 },
        revision: 1,
      },
      changes: {
        maintenanceMode: { by: LEE, at: times[1] },
        maintenanceMessage: { by: DANA, at: times[0] },
      },
    },
  ]);
  await fixture.rebuild(["settings"]);
  expect(await rows()).toEqual(live);
});

it("follows the settings itself: its log has debug lines while they turn those on", async () => {
  const isDebugging = () => fixture.logged.some((line) => line.includes('"level":"debug"'));
  expect(isDebugging()).toBe(false);
  await change({ debug_mode: true }, DANA, times[0]);
  const written = async () => {
    await change({ email_notifications: false }, DANA, times[1]);
    return isDebugging();
  };
  await expect.poll(written, { timeout: 10_000, interval: 100 }).toBe(true);
});
