import { type RegistryEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import type { ActorRole } from "#event-store/port.ts";
import { baseSlug, slugCandidates } from "#services/command-api/address/slug.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import { accountActs } from "./account-story.ts";
import { contentActs } from "./content-story.ts";
import { inquiryActs } from "./inquiry-story.ts";
import { type MadeUpPerson, makePerson } from "./made-up-reports.ts";
import type { Random } from "./random.ts";
import { type PlannedStep, planSteps } from "./report-plan.ts";
import { ReportStory, type StoryContext } from "./report-story.ts";
import { systemActs } from "./system-story.ts";
import { templateActs } from "./template-story.ts";

/** One append: who does what to which stream. */
export interface Act {
  readonly stream: string;
  readonly events: readonly RegistryEvent[];
  readonly actor: { readonly id: string; readonly role: ActorRole };
  readonly time: string;
  /** Names of the keys that must exist before it is sealed. */
  readonly needs: readonly string[];
  /** Names of the keys that are destroyed with it. */
  readonly destroys: readonly string[];
}

export interface HistoryOptions {
  readonly random: Random;
  /** Number of events. */
  readonly events: number;
  readonly blind: BlindIndexer;
  /** The service key `slugs`. */
  readonly slugKey: Buffer;
}

const VISITOR = { id: "visitor", role: "visitor" } as const;
const SYSTEM = { id: "system", role: "system" } as const;
const STAFF = 12;
/**
 * Least number of events that a report has on average. It determines how many reports are planned.
 */
const EVENTS_PER_REPORT = 3;
const START_MS = Date.parse("2026-08-01T00:00:00.000Z");
const MS_PER_REPORT = 60_000;
/** The key of failed sign-ins; see `subjects.security`. */
const SECURITY_MONTH = "2026-11";

interface Planned extends PlannedStep {
  readonly story: number;
  readonly at: number;
  /** Whether nothing happens to the report afterwards. */
  readonly last: boolean;
}

/**
 * A registry's whole history in the order of its log: reports from submission to decision, mixed as
 * they arrive, and between them the staff's sign-ins, views of sealed data and refused calls. One
 * report in seven is about somebody who was reported before.
 */
export function* history(options: HistoryOptions): Generator<Act, void, undefined> {
  const { random, events: limit } = options;
  const staff = Array.from({ length: STAFF }, () => random.uuid());
  const stories = new Stories(options);
  let written = 0;
  const fits = (act: Act) => written + act.events.length <= limit;
  for (const planned of planAll(random, limit)) {
    const time = new Date(START_MS + planned.at * MS_PER_REPORT).toISOString();
    const moderator = random.pick(staff);
    const acts = [
      ...(planned.step.startsWith("submit") ? beside(options, planned.story, staff, time) : []),
      ...stories.acts(planned, moderator, time),
    ];
    for (const act of acts) {
      if (!fits(act)) {
        for (; written < limit; written += 1) yield refusedCall(random, moderator, time);
        return;
      }
      written += act.events.length;
      yield act;
    }
  }
}

/** A single event, which always fits. */
function refusedCall(random: Random, id: string, time: string): Act {
  const data = { method: "GET", route: "/prod/api/reports/all", code: "forbidden", count: 1 };
  return {
    stream: streams.security(random.uuid()),
    events: [{ type: "CallRefused", data }],
    actor: { id, role: "admin" },
    time,
    needs: [],
    destroys: [],
  };
}

function planAll(random: Random, limit: number): Planned[] {
  const reports = Math.ceil(limit / EVENTS_PER_REPORT);
  const pace = { verify: Math.min(10, reports / 40), decide: Math.min(500, reports / 20) };
  const all: Planned[] = [];
  for (let story = 0; story < reports; story += 1)
    all.push(
      ...planSteps(random, pace).map((planned, i, { length }) => ({
        ...planned,
        story,
        at: story + planned.after,
        last: i === length - 1,
      })),
    );
  return all.sort((a, b) => a.at - b.at || a.story - b.story || a.after - b.after);
}

/** What else happens around the n-th report. */
function beside(
  { random, blind }: HistoryOptions,
  n: number,
  staff: readonly string[],
  time: string,
): Act[] {
  const acts: Act[] = [];
  const add = (
    stream: string,
    event: RegistryEvent,
    actor: Act["actor"],
    needs: readonly string[] = [],
  ) => acts.push({ stream, events: [event], actor, time, needs, destroys: [] });
  if (n === 0)
    for (const id of staff) {
      const account = {
        email: `m${id.slice(0, 8)}@registry.example`,
        first_name: "Mo",
        last_name: "Dee",
      };
      const event = { type: "AccountAdded", data: { role: "admin", account } } as const;
      add(streams.user(id), event, SYSTEM, [subjects.account(id)]);
    }
  const id = random.pick(staff);
  const actor = { id, role: "admin" } as const;
  if (n % 40 === 3) acts.push(...session(random, actor, time, n % 500 === 83));
  if (n % 2000 === 99) add(streams.user(id), { type: "PasswordReset", data: {} }, SYSTEM);
  if (n % 500 === 61) {
    const event_id = `evt_${random.uuid().replaceAll("-", "")}`;
    const problem = "report_deleted";
    const data = { processor: "stripe", problem, live: true, event_id, told: [id] };
    add(streams.payment(random.uuid()), { type: "PaymentUnmatched", data }, SYSTEM);
  }
  if (n % 500 === 77)
    add(streams.user(id), { type: "SessionsEnded", data: { cause: "signed_out" } }, actor);
  const security = streams.security(random.uuid());
  if (n % 100 === 11) {
    const email = `someone${n}@mailbox.example`;
    const data = { cause: "unknown_account", security: { email } } as const;
    add(security, { type: "SignInFailed", data }, SYSTEM, [subjects.security(SECURITY_MONTH)]);
  }
  if (n % 100 === 51) acts.push(refusedCall(random, id, time));
  if (n % 100 === 71) {
    const data = { cause: "wrong_password", security: { account_id: id } } as const;
    add(security, { type: "ProofFailed", data }, actor, [subjects.security(SECURITY_MONTH)]);
  }
  if (n % 400 === 5)
    acts.push(
      ...accountActs(random, n, time, blind),
      ...inquiryActs(random, time),
      ...contentActs(random, id, time),
      ...templateActs(id, time),
      ...systemActs(random, id, time),
    );
  return acts;
}

/** A session from start to end. */
function session(random: Random, actor: Act["actor"], time: string, isStolen: boolean): Act[] {
  const { id } = actor;
  const expires_at = new Date(Date.parse(time) + 90 * 24 * 3_600_000).toISOString();
  const method = "password";
  const started = {
    account_id: id,
    method,
    device: "known",
    account_revision: 0,
    expires_at,
  } as const;
  const cause = isStolen ? "refresh_token_reused" : "signed_out";
  const common = { stream: streams.session(random.uuid()), time, destroys: [] };
  const needs = [subjects.account(id)];
  return [
    { ...common, events: [{ type: "SessionStarted", data: started }], actor, needs },
    { ...common, events: [{ type: "SessionUsed", data: {} }], actor, needs },
    { ...common, events: [{ type: "PasswordProved", data: {} }], actor, needs },
    { ...common, events: [{ type: "SessionEnded", data: { cause } }], actor, needs },
  ];
}

/** The reports whose stories are not over. */
class Stories {
  readonly #random: Random;
  readonly #context: StoryContext;
  readonly #stories = new Map<number, ReportStory>();
  /** People reported before, some of whom are reported again. */
  readonly #known: MadeUpPerson[] = [];
  readonly #slugs = new Set<string>();

  constructor({ random, blind, slugKey }: HistoryOptions) {
    this.#random = random;
    const slugOf = ({ first_name, last_name }: MadeUpPerson, reportId: string) => {
      const base = baseSlug(first_name, last_name);
      for (const slug of slugCandidates(slugKey, base, reportId)) {
        if (this.#slugs.has(slug)) continue;
        this.#slugs.add(slug);
        return slug;
      }
      throw new Error("every address of the report was given");
    };
    this.#context = { random, blind, slugOf };
  }

  acts({ step, story: n, last }: Planned, moderator: string, time: string): Act[] {
    const story = this.#stories.get(n) ?? this.#begin(n);
    if (last) this.#stories.delete(n);
    // The accounts of this history submit nothing: their moderators decide about all reports.
    const byVisitor = step.startsWith("submit") || step === "resend" || step === "verify_by_link";
    const by = (step === "undo" && story.decidedBy) || moderator;
    const actor = byVisitor ? VISITOR : ({ id: by, role: "admin" } as const);
    const needs = [...story.subjects, ...(byVisitor ? [] : [subjects.account(by)])];
    if (step === "view") {
      const stream = streams.access(this.#random.uuid());
      return [{ stream, events: [story.viewed()], actor, time, needs, destroys: [] }];
    }
    const events = story.take(step, time, by);
    if (events.length === 0) return [];
    const destroys = step === "erase" ? story.subjects : [];
    return [{ stream: streams.report(story.id), events, actor, time, needs, destroys }];
  }

  #begin(n: number): ReportStory {
    const random = this.#random;
    const again = this.#known.length > 0 && random.chance(1 / 7);
    const person = again ? random.pick(this.#known) : makePerson(random);
    if (!again && this.#known.length < 20_000) this.#known.push(person);
    const story = new ReportStory(random.uuid(), person, this.#context);
    this.#stories.set(n, story);
    return story;
  }
}
