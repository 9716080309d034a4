import { makePerson, makeReport } from "../seeding/made-up-reports.ts";
import type { Random } from "../seeding/random.ts";
import type { Caller } from "./caller.ts";

/** Most calls in flight, so that a system that cannot keep up is not flooded. */
const MAX_RUNNING = 25;

/**
 * Produces the given number of events per second during the measurement, however long replies take:
 * reports are submitted, verified and approved in turn.
 */
export class Background {
  readonly #call: Caller;
  readonly #visitor: Caller;
  readonly #random: Random;
  readonly #perSecond: number;
  readonly #running = new Set<Promise<void>>();
  /** Next steps for reports that were submitted here. */
  readonly #next: (() => Promise<void>)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #endedAt = 0;
  #begun = 0;
  #done = 0;
  #error: unknown;

  /** @param as who submits, and the admin who verifies and approves. */
  constructor(
    perSecond: number,
    as: { readonly call: Caller; readonly visitor: Caller },
    random: Random,
  ) {
    this.#perSecond = perSecond;
    this.#call = as.call;
    this.#visitor = as.visitor;
    this.#random = random;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#timer = setInterval(() => this.#catchUp(), 10);
  }

  /** @throws the error of a call that failed. */
  check(): void {
    if (this.#error) throw this.#error;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#endedAt = performance.now();
    await Promise.all(this.#running);
  }

  /** Events stored per second. */
  get perSecond(): number {
    return (this.#done * 1000) / (this.#endedAt - this.#startedAt);
  }

  #catchUp(): void {
    const due = ((performance.now() - this.#startedAt) * this.#perSecond) / 1000;
    while (this.#begun < due && this.#running.size < MAX_RUNNING) {
      this.#begun += 1;
      const running: Promise<void> = this.#act()
        .then(
          () => {
            this.#done += 1;
          },
          (error) => {
            this.#error ??= error;
          },
        )
        .finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  #act(): Promise<void> {
    return (this.#next.shift() ?? (() => this.#submit()))();
  }

  async #submit(): Promise<void> {
    const body = makeReport(this.#random, makePerson(this.#random));
    const { id } = await this.#visitor<{ id: string }>("POST", "/prod/api/reports/submit", body);
    const url = `/prod/api/admin/reports/${id}`;
    this.#next.push(async () => {
      await this.#call("POST", `${url}/verify`, {});
      this.#next.push(async () => {
        await this.#call("POST", `${url}/approve`, {});
      });
    });
  }
}
