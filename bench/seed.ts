import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import { streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import { baseSlug, slugCandidates } from "#services/command-api/address/address-store.ts";
import { blindIndexes, reporterBlindIndexes } from "#services/command-api/report/report.blind.ts";
import type { PreparedReportCommand } from "#services/command-api/report/report.commands.ts";
import { decideReport } from "#services/command-api/report/report.decider.ts";
import { toNewReport } from "#services/command-api/report/report.payload.ts";
import type { ProjectorStores } from "#services/projector/composition.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { type BlindIndexer, createBlindIndexer } from "#vault/sealing/hashes.ts";
import { type MadeUpPerson, makePerson, makeReport, Random } from "./made-up-reports.ts";

type Step =
  | "submit"
  | "resend"
  | "verify"
  | "note"
  | "edit"
  | "review"
  | "approve"
  | "reject"
  | "erase";

interface Planned {
  readonly step: Step;
  readonly report: number;
  /** When it happens, counted in submissions. */
  readonly at: number;
}

interface Story {
  readonly id: string;
  readonly person: MadeUpPerson;
  state: ReportState | undefined;
  appended: Promise<void> | undefined;
}

/** Minimum average number of events per report. It determines how many reports are planned. */
const EVENTS_PER_REPORT = 3;
const START_MS = Date.parse("2026-08-01T00:00:00.000Z");
const MS_PER_REPORT = 60_000;
const MODERATORS = 12;
/** Number of steps after which all keys of erased reports are destroyed. */
const CHUNK = 2000;
const CONCURRENCY = 400;
const AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
const VISITORS: ReadonlySet<Step> = new Set<Step>(["submit", "resend", "verify"]);

/**
 * Fills an empty log as the command side would: the deciders create reports' events from submission to
 * erasure, interleaved by time; sensitive parts are encrypted under their own keys, streams chained, keys of
 * erased reports destroyed. One report in seven is about someone reported before.
 * @param least number of events. A step is never split.
 * @returns how many events were appended.
 */
export async function seed(
  { store, keys }: Pick<ProjectorStores, "store" | "keys">,
  least: number,
): Promise<number> {
  const random = new Random();
  const writer = new EventWriter(store, keys);
  await writer.startLog();
  const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
  const command = commandsOf(random, blind, await keys.serviceKey("slugs"));
  const stories = storiesOf(random);
  const moderators = Array.from({ length: MODERATORS }, () => randomUUID());
  const limit = pLimit(CONCURRENCY);
  let written = 1;
  const planned = planAll(random, Math.ceil(least / EVENTS_PER_REPORT));
  for (let from = 0; from < planned.length && written < least; from += CHUNK) {
    const appended: Promise<unknown>[] = [];
    const erased: string[] = [];
    for (const { step, report, at } of planned.slice(from, from + CHUNK)) {
      if (written >= least) break;
      const story = stories(report);
      const time = new Date(START_MS + at * MS_PER_REPORT).toISOString();
      const moment = { now: time, newId: randomUUID() };
      const events = decideReport(story.state, command(step, story), moment);
      if (events.length === 0) continue;
      story.state = events.reduce<ReportState | undefined>(evolveReport, story.state);
      written += events.length;
      if (step === "erase") erased.push(subjects.personal(story.id), subjects.reporter(story.id));
      const actor = VISITORS.has(step)
        ? ({ id: "visitor", role: "visitor" } as const)
        : ({ id: random.pick(moderators), role: "admin" } as const);
      const client = { ip: `203.0.113.${random.integer(1, 254)}`, user_agent: AGENT };
      const before = story.appended;
      story.appended = limit(async () => {
        await before;
        await writer.append(streams.report(story.id), events, { actor, time, client });
      });
      appended.push(story.appended);
    }
    await Promise.all(appended);
    await keys.destroy(erased, new Date().toISOString());
  }
  return written;
}

/** The n-th report, about a new person or about someone reported before. */
function storiesOf(random: Random): (n: number) => Story {
  const stories = new Map<number, Story>();
  const known: MadeUpPerson[] = [];
  return (n) => {
    const begun = stories.get(n);
    if (begun) return begun;
    const again = known.length > 0 && random.chance(1 / 7);
    const person = again ? random.pick(known) : makePerson(random);
    if (!again && known.length < 20_000) known.push(person);
    const story: Story = { id: randomUUID(), person, state: undefined, appended: undefined };
    stories.set(n, story);
    return story;
  };
}

/** Plans the steps of all reports in chronological order. */
function planAll(random: Random, reports: number): Planned[] {
  // Mean waits, shorter in a small registry.
  const verify = Math.min(10, reports / 40);
  const decide = Math.min(500, reports / 20);
  const plan = (report: number): Planned[] => {
    const steps: Planned[] = [{ step: "submit", report, at: report }];
    const then = (share: number, mean: number, step: Step) => {
      if (!random.chance(share)) return false;
      steps.push({ step, report, at: (steps.at(-1)?.at ?? report) + random.wait(mean) });
      return true;
    };
    then(0.1, verify, "resend");
    then(0.85, verify, "verify");
    then(0.3, decide / 2, "note");
    then(0.15, decide / 10, "edit");
    then(0.1, decide / 10, "review");
    if (then(0.74, decide, "approve")) then(0.02, decide, "reject");
    else if (then(0.85, decide, "reject")) then(0.05, decide, "approve");
    then(0.03, decide * 2, "erase");
    return steps;
  };
  return Array.from({ length: reports }, (_, n) => plan(n))
    .flat()
    .sort((a, b) => a.at - b.at);
}

/** The command of each step, including what the services add to it. */
function commandsOf(random: Random, blind: BlindIndexer, slugKey: Buffer) {
  const slugs = new Set<string>();
  const slugOf = ({ id, person }: Story) => {
    const base = baseSlug(person.first_name, person.last_name);
    for (const slug of slugCandidates(slugKey, base, id))
      if (!slugs.has(slug)) {
        slugs.add(slug);
        return slug;
      }
    throw new Error("every address of the report was given");
  };
  return (step: Step, story: Story): PreparedReportCommand => {
    const { state, person } = story;
    switch (step) {
      case "submit": {
        const body = makeReport(random, person);
        const { personal, reporter } = toNewReport(body);
        return {
          type: "SubmitReport",
          body,
          termsVersion: TERMS_VERSION,
          blind: blindIndexes(personal, blind),
          reporterBlind: reporterBlindIndexes(reporter.reporter_email, blind),
        };
      }
      case "resend":
        return { type: "ResendVerification", email: state?.reporter?.reporter_email ?? "" };
      case "verify":
        return { type: "VerifyReport", linkId: state?.links.at(-1)?.link_id ?? "" };
      case "note":
        return { type: "WriteNote", body: { note: "The same parcel as in an earlier report." } };
      case "edit": {
        const title = `Disputed payment, ${random.integer(2, 99)}`;
        return { type: "EditReport", body: { title, other_fees: random.integer(1, 90) } };
      }
      case "review":
        return { type: "SetReportStatus", body: { status: "under_review" } };
      case "approve":
        return {
          type: "ApproveReport",
          body: {},
          slug: state?.published ? undefined : slugOf(story),
        };
      case "reject":
        return {
          type: "RejectReport",
          body: { reason: "The evidence does not show what is claimed." },
        };
      case "erase":
        return { type: "EraseReport", reasonCode: "other" };
    }
  };
}
