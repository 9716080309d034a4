import { expect, it } from "vitest";
import type { Notification } from "#contracts/http/sessions.ts";
import { MAX_COUNTED } from "#contracts/notification/notification-kinds.ts";
import { bellLabel, countText, factsOf, failedText } from "./notification-labels.ts";

const since = "2026-11-20T10:00:00.000Z";
const mails: Notification = { kind: "failed_mails", count: 1, since };
const inquiries: Notification = { kind: "waiting_inquiries", count: 3, late: 2, since };

it("counts up to the server's limit", () => {
  expect(countText(MAX_COUNTED - 1)).toBe("99");
  expect(countText(MAX_COUNTED)).toBe("100 or more");
});

it("shows how many are late, and how long the oldest has been waiting", () => {
  expect(factsOf(mails)).toMatch(/^1, since Nov 20, 2026/);
  expect(factsOf(inquiries)).toMatch(/^3, 2 late, the oldest/);
  expect(factsOf({ ...inquiries, late: 3 })).toMatch(/^3, all late,/);
  expect(factsOf({ ...inquiries, count: 1, late: 1 })).toMatch(/^1, late, since/);
});

it("labels the bell with what was loaded, even if something failed", () => {
  expect(bellLabel(undefined, false)).toBe("Notifications");
  expect(bellLabel(undefined, true)).toBe("Notifications: couldn't load them");
  const named = (...notifications: Notification[]) =>
    bellLabel({ notifications, failed: [], work: {} }, false);
  expect(named()).toBe("Notifications: nothing needs attention");
  expect(named(mails)).toBe("Notifications: 1 item needs attention");
  expect(named(mails, inquiries)).toBe("Notifications: 4 items need attention");
  expect(named({ ...mails, count: MAX_COUNTED }, inquiries)).toBe(
    "Notifications: 99+ items need attention",
  );
  expect(bellLabel({ notifications: [mails], failed: ["parked_events"], work: {} }, false)).toBe(
    "Notifications: 1 item needs attention, couldn't load some",
  );
  const none = { notifications: [], failed: [], work: {} };
  expect(bellLabel(none, true)).toBe("Notifications: couldn't load them");
  expect(bellLabel({ ...none, failed: ["parked_events"] }, false)).toBe(
    "Notifications: couldn't load some",
  );
  expect(failedText(["parked_events"])).toBe("Couldn't load: Parked events");
});
