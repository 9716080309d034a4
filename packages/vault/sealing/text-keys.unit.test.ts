import { expect, it } from "vitest";
import { MASKED_TEXT } from "#contracts/events/report/report-texts.ts";
import { reportOfTextKey } from "#contracts/sealed.ts";
import type { KeyLookup } from "../keys/key-store.ts";
import { type EventSample, eventSamples, sampleKeys } from "../testing/event-samples.ts";
import { KeyMissing, registryCodec } from "./event-codec.ts";

const { stored } = eventSamples.find(
  ({ stored: { type } }) => type === "ReportSubmitted",
) as EventSample;
const without = (isGone: (subject: string) => boolean): ReadonlyMap<string, KeyLookup> =>
  new Map(
    [...sampleKeys].map(([subject, found]) => [
      subject,
      isGone(subject) ? ({ state: "destroyed", at: "2026-11-21T10:00:00.000Z" } as const) : found,
    ]),
  );

it("masks the free texts of an event whose text key is destroyed, and nothing else", () => {
  const keys = without((subject) => reportOfTextKey(subject) !== undefined);
  const open = registryCodec.openEvent(stored, sampleKeys);
  const masked = registryCodec.openEvent(stored, keys);
  const report = (event: typeof open) =>
    (event.data as { personal: { report: Record<string, unknown> } }).personal.report;
  expect(report(masked)).toMatchObject({ title: MASKED_TEXT, description: MASKED_TEXT });
  expect(report(masked).first_name).toBe(report(open).first_name);
  expect(report(open).title).not.toBe(MASKED_TEXT);
  expect([open, masked].map(({ data }) => (data as { masked?: true }).masked)).toEqual([
    undefined,
    true,
  ]);
});

it("seals every text from a command with the event's text key", () => {
  const around = ["note", "question", "answer", "reason"];
  const holders = eventSamples.filter(
    ({ stored: { stream }, opened }) =>
      stream.startsWith("report-") &&
      [opened.personal, opened.reporter].some((part) =>
        around.some((name) => Object.hasOwn(Object(part), name)),
      ),
  );
  expect(holders.length).toBeGreaterThan(8);
  const keys = without((subject) => reportOfTextKey(subject) !== undefined);
  for (const { stored } of holders) {
    const { data } = registryCodec.openEvent(stored, keys);
    const { personal, reporter } = data as Record<string, Record<string, unknown>>;
    const read = around.flatMap((name) =>
      [personal, reporter].flatMap((part) => part?.[name] ?? []),
    );
    expect([stored.type, read]).toEqual([stored.type, [MASKED_TEXT]]);
  }
});

it("erases the free texts with the person's key, even though their own key exists", () => {
  const keys = without((subject) => subject.startsWith("personal-"));
  const erased = registryCodec.openEvent(stored, keys);
  expect((erased.data as { personal: unknown }).personal).toBeNull();
  expect(Object.keys(erased.data)).not.toContain("text");
});

it("throws if the text key is missing", () => {
  const keys = new Map([...sampleKeys].filter(([subject]) => !reportOfTextKey(subject)));
  expect(() => registryCodec.openEvent(stored, keys)).toThrow(KeyMissing);
});

it("erases the reporter's free texts with the reporter's key alone", () => {
  const keys = without((subject) => subject.startsWith("reporter-"));
  const { data } = registryCodec.openEvent(stored, keys);
  expect(data).toMatchObject({ reporter: null });
  expect(Object.keys(data)).not.toContain("reporter_text");
  expect(data).toHaveProperty("personal.report.title", expect.not.stringContaining(MASKED_TEXT));
});
