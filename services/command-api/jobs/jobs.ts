import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { Value } from "typebox/value";
import { DomainError } from "#contracts/domain-error.ts";
import { isEnded, type JobKindName, type JobState, jobKindsOf } from "#contracts/http/jobs.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { subjects } from "#contracts/sealed.ts";
import type { EventJson } from "#event-store/port.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { aggregateIdOf, bodyMac } from "#vault/sealing/hashes.ts";
import { openColumn, sealColumn } from "#vault/sealing/seal.ts";
import type { Caller, CommandEnvelope } from "../kernel/envelope.ts";
import type { JobEnd, JobStore, TakenJob } from "./job.store.ts";
import type { JobKind } from "./job-kind.ts";
import { FORBIDDEN, INTERRUPTED, RunningJob } from "./running-job.ts";

const MAX_AT_ONCE = 4;
const MAX_ATTEMPTS = 5;
const TIMES = { renewMs: 2_000, lookMs: 5_000 };

interface Deps {
  readonly store: JobStore;
  readonly keys: Pick<KeyStore, "get">;
  readonly kinds: readonly JobKind[];
  readonly log: Pick<Logger, "warn" | "error">;
  /** Overrides the milliseconds between polls for jobs and between lease renewals. */
  readonly times?: { readonly lookMs: number; readonly renewMs: number };
}

/** Encrypted part of a job: its input, and who started it from where. */
interface SealedJob {
  readonly input: EventJson;
  readonly role: Caller["actor"]["role"];
  readonly origin: Caller["origin"];
  readonly client?: { readonly ip: string; readonly user_agent: string };
}

const place = (rowId: string) => ({ table: "command.job", column: "sealed", rowId });

/** Runs work that outlasts a request. A process leases a job; if it dies, another one takes over. */
export class Jobs {
  readonly #deps: Deps;
  readonly #times: typeof TIMES;
  readonly #runner = randomUUID();
  readonly #running = new Map<string, { job?: RunningJob; readonly over: Promise<void> }>();
  readonly #kinds: ReadonlyMap<JobKindName, JobKind>;
  readonly #looks: Periodic;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#times = deps.times ?? TIMES;
    this.#looks = new Periodic((signal) => this.#takeAll(signal), {
      everyMs: this.#times.lookMs,
      onError: (err) => deps.log.warn({ err }, "could not poll for jobs; will retry"),
    });
    this.#kinds = new Map(deps.kinds.map((kind) => [kind.name, kind]));
  }

  runs(name: JobKindName): boolean {
    return this.#kinds.has(name);
  }

  /**
   * Stores a job and starts it. The ID is derived from the envelope, so that a retry gets the same job.
   * @param total number of targets, if known.
   * @throws {DomainError} `job_running` if a job of a single kind, or too many of the account, are unfinished;
   *   `idempotency_key_reused`.
   */
  async begin(
    name: JobKindName,
    input: EventJson,
    envelope: CommandEnvelope,
    total?: number,
  ): Promise<{ readonly id: string }> {
    const { store } = this.#deps;
    const kind = this.#kind(name);
    const { caller } = envelope;
    const id = aggregateIdOf(envelope.id);
    const ids = (envelope.ids ?? [envelope.id]).map(aggregateIdOf);
    const key = await this.#key(caller.actor.id);
    const mac = bodyMac([key], { kind: name, input });
    const known = async () => {
      const job = await store.known(ids);
      if (job && job.bodyMac !== mac) {
        throw new DomainError(
          "idempotency_key_reused",
          "This Idempotency-Key was used for another request. Send a new key for a new request.",
        );
      }
      return job;
    };
    const before = await known();
    if (before) return { id: before.id };
    const kept: SealedJob = {
      input,
      role: caller.actor.role,
      origin: caller.origin,
      ...omitUndefined({ client: caller.client }),
    };
    const subject = subjects.account(caller.actor.id);
    const isAdded = await store.add({
      id,
      kind: name,
      accountId: caller.actor.id,
      sealed: sealColumn(key, kept as unknown as EventJson, { ...place(id), key: subject }),
      bodyMac: mac,
      total,
      isSingle: kind.isSingle === true,
    });
    if (!isAdded) {
      // The same request may have arrived concurrently.
      const meanwhile = await known();
      if (meanwhile) return { id: meanwhile.id };
      throw new DomainError(
        "job_running",
        "A task like this is already running. Wait until it is done.",
      );
    }
    this.look();
    return { id };
  }

  /** @throws {DomainError} `not_found`. */
  async stop(
    id: string,
    caller: Caller,
  ): Promise<{ readonly id: string; readonly state: JobState }> {
    const state = await this.#deps.store.stop(id, caller.actor.id, jobKindsOf(caller.actor.role));
    if (!state) throw new DomainError("not_found", "Job not found");
    if (!isEnded(state)) this.#running.get(id)?.job?.cancel("stop");
    return { id, state };
  }

  /** Polls for jobs, immediately and then regularly. */
  start(): void {
    this.#looks.start();
  }

  /** Releases running jobs, and resolves once none runs here. */
  async end(): Promise<void> {
    const looked = this.#looks.stop();
    for (const { job } of this.#running.values()) job?.cancel("ending");
    await looked;
    await this.settled();
  }

  /** Resolves once this process runs no job and finds none to take. */
  async settled(): Promise<void> {
    do {
      await Promise.all([...this.#running.values()].map(({ over }) => over));
      await this.#looks.afresh();
    } while (this.#running.size > 0);
  }

  sweep(nowMs: number): Promise<void> {
    return this.#deps.store.sweep(nowMs);
  }

  /** Polls for jobs now. If a poll is already in progress, another one follows it. */
  look(): void {
    void this.#looks.afresh();
  }

  async #takeAll(ending: AbortSignal): Promise<void> {
    while (!ending.aborted && this.#running.size < MAX_AT_ONCE) {
      const job = await this.#deps.store.take(this.#runner, [...this.#kinds.keys()]);
      if (!job) return;
      const over = this.#run(job, ending)
        .catch((err) =>
          this.#deps.log.warn({ err }, "could not run a job; another process will take it"),
        )
        .finally(() => {
          this.#running.delete(job.id);
          this.look();
        });
      this.#running.set(job.id, { over });
    }
  }

  async #run(taken: TakenJob, ending: AbortSignal): Promise<void> {
    const { store, log } = this.#deps;
    const { id } = taken;
    const kind = this.#kind(taken.kind);
    const end = async (how: JobEnd & { readonly state: "failed" | "stopped" }) => {
      await kind.abandoned?.(id, how.state);
      await store.end(id, this.#runner, how);
    };
    const fail = (error: JobEnd["error"]) => end({ state: "failed", error });
    if (taken.state === "stopping") return end({ state: "stopped" });
    const interrupted = taken.attempts > (kind.whenInterrupted === "fail" ? 1 : MAX_ATTEMPTS);
    if (interrupted) return fail(INTERRUPTED);
    const kept = await this.#opened(taken);
    if (!kept || !taken.allowed) return fail(FORBIDDEN);
    if (!Value.Check(kind.input, kept.input)) return fail(INTERRUPTED);
    const { role, origin } = kept;
    const job = new RunningJob(taken, {
      store,
      runner: this.#runner,
      finished: await store.targets(id),
      continues: kind.whenInterrupted === "continue",
      caller: {
        actor: { id: taken.account_id, role },
        origin,
        correlationId: id,
        ...omitUndefined({ client: kept.client }),
      },
    });
    const entry = this.#running.get(id);
    if (entry) entry.job = job;
    if (ending.aborted) job.cancel("ending");
    const renewal = new Periodic(() => job.renew(), {
      everyMs: this.#times.renewMs,
      onError: (err) => log.warn({ err }, "a job's lease was not renewed"),
    });
    renewal.start();
    try {
      const error = await kind.run(kept.input, job).then(
        () => undefined,
        (thrown: unknown) => thrown ?? new Error("a job threw nothing"),
      );
      await job.over(error, (err) => log.error({ err, kind: kind.name }, "a job failed"));
    } finally {
      await renewal.stop();
    }
  }

  #kind(name: JobKindName): JobKind {
    const kind = this.#kinds.get(name);
    if (!kind) throw new TypeError(`there is no kind of job ${name}`);
    return kind;
  }

  /** Undefined if the account's key was destroyed. */
  async #opened({ id, account_id, sealed }: TakenJob): Promise<SealedJob | undefined> {
    const subject = subjects.account(account_id);
    const found = (await this.#deps.keys.get([subject])).get(subject);
    if (found?.state !== "present") return undefined;
    return openColumn(found.key, sealed, place(id)) as unknown as SealedJob;
  }

  async #key(accountId: string): Promise<Buffer> {
    const subject = subjects.account(accountId);
    const found = (await this.#deps.keys.get([subject])).get(subject);
    if (found?.state !== "present") throw new DomainError("forbidden", FORBIDDEN.message);
    return found.key;
  }
}
