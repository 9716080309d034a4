import { describe, expect, it } from "vitest";
import { eventDefinitions } from "#contracts/events/index.ts";
import { type Act, history } from "./history.ts";
import { Random } from "./random.ts";

const EVENTS = 12_000;

function write(seed: number, events = EVENTS): Act[] {
  return [
    ...history({
      random: new Random(seed),
      events,
      blind: (field, value) => `${field}:${value}`,
      slugKey: Buffer.alloc(32),
    }),
  ];
}

const acts = write(1);
const types = new Map<string, number>();
for (const { events } of acts)
  for (const { type } of events) types.set(type, (types.get(type) ?? 0) + 1);
const share = (type: string) => (types.get(type) ?? 0) / (types.get("ReportSubmitted") ?? 0);

describe("the generated history", () => {
  it("is the same for the same seed, and differs for another", () => {
    expect(write(1, 500)).toEqual(write(1, 500));
    expect(write(2, 500)).not.toEqual(write(1, 500));
  });

  it("has the requested number of events, of every type that needs no operator", () => {
    const total = [...types.values()].reduce((sum, n) => sum + n, 0);
    expect(total).toBe(EVENTS);
    for (const events of [297, 298, 299, 300, 301])
      expect(write(1, events).flatMap((act) => act.events)).toHaveLength(events);
    // The log's own events mark its start, its restore and the sample reports. Others are rare.
    const byHand = new Set(["LogStarted", "LogRestored", "SamplesLoaded", "SamplesCleared"]);
    for (const type of ["ReporterErased", "AccountErased"]) byHand.add(type);
    for (const type of ["DeviceConfirmationRequested", "DeviceConfirmed"]) byHand.add(type);
    for (const type of ["ReportDeletionRequested", "ReportDeletionUndone"]) byHand.add(type);
    for (const type of ["ContactFound", "ContactAlarmRaised", "ReportTextMasked"]) byHand.add(type);
    const expected = eventDefinitions.map(({ type }) => type).filter((type) => !byHand.has(type));
    expect([...types.keys()].toSorted()).toEqual(expected.toSorted());
  });

  it("decides and verifies most reports, and deletes few", () => {
    expect(share("ReportVerifiedByLink")).toBeGreaterThan(0.6);
    expect(share("ReportApproved")).toBeGreaterThan(0.5);
    expect(share("ReportRejected")).toBeGreaterThan(0.1);
    expect(share("ReportEdited")).toBeGreaterThan(0.05);
    expect(share("ReportDeleted")).toBeGreaterThan(0.005);
    expect(share("ReportDeleted")).toBeLessThan(0.06);
  });

  it("takes decisions back within a minute, by whoever decided", () => {
    const undone = acts.flatMap((act) => {
      const [event] = act.events;
      const revision = event?.type === "ReportStatusSet" ? event.data.undoes?.revision : undefined;
      if (revision === undefined) return [];
      const decision = acts
        .filter(({ stream }) => stream === act.stream)
        .flatMap(({ events, actor, time }) => events.map(({ type }) => ({ type, actor, time })))[
        revision
      ];
      expect(decision).toMatchObject({ type: "ReportApproved", actor: act.actor });
      return [Date.parse(act.time) - Date.parse(decision?.time ?? "")];
    });
    expect(undone.length).toBeGreaterThan(10);
    expect(Math.max(...undone)).toBeLessThanOrEqual(60_000);
  });

  it("mixes what happens to different reports, in the order of time", () => {
    const times = acts.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    const submitted = acts
      .flatMap(({ events }, i) => (events[0]?.type === "ReportSubmitted" ? [i] : []))
      .slice(0, 100);
    const mixed = submitted.filter((at) => {
      const { stream } = acts[at] as Act;
      return acts.findIndex((act, i) => i > at && act.stream === stream) !== at + 1;
    });
    expect(mixed.length).toBeGreaterThan(submitted.length / 2);
  });

  it("gives every approved report its own address", () => {
    const slugs = acts.flatMap(({ events }) =>
      events.flatMap((event) =>
        event.type === "ReportApproved" ? (event.data.personal?.slug ?? []) : [],
      ),
    );
    expect(slugs.length).toBeGreaterThan(500);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it("lists the keys that an action needs, and removes both of a report when it is erased", () => {
    const erasure = acts.find(({ events }) => events.at(-1)?.type === "ReportErased");
    const id = erasure?.stream.slice("report-".length);
    expect(erasure?.destroys).toEqual([`personal-${id}`, `reporter-${id}`]);
    for (const { events, needs } of acts)
      if (events[0]?.type === "ReportSubmitted") expect(needs).toHaveLength(2);
  });
});
