import { makePerson, makeReport } from "../seeding/made-up-reports.ts";
import type { Random } from "../seeding/random.ts";
import type { Caller } from "./caller.ts";

/** Calls on their way at once, at most: a system that does not keep up is not buried. */
const MAX_RUNNING = 25;

/**
 * The given number of events a second during the measurement, whatever the answers take: reports
 * are submitted, verified and approved in turn.
 */
export class Background {
  readonly #call: Caller;
  readonly #random: Random;
  readonly #perSecond: number;
  readonly #running = new Set<Promise<void>>();
  /** What comes next for reports that were submitted here. */
  readonly #next: (() => Promise<void>)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #endedAt = 0;
  #begun = 0;
  #done = 0;
  #error: unknown;

  constructor(perSecond: number, call: Caller, random: Random) {
    this.#perSecond = perSecond;
    this.#call = call;
    this.#random = random;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#timer = setInterval(() => this.#catchUp(), 10);
  }

  /** @throws what a call failed with. */
  check(): void {
    if (this.#error) throw this.#error;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#endedAt = performance.now();
    await Promise.all(this.#running);
  }

  /** Events a second that were stored. */
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
    const { id } = await this.#call<{ id: string }>("POST", "/prod/api/reports/submit", body);
    const url = `/prod/api/admin/reports/${id}`;
    this.#next.push(async () => {
      await this.#call("POST", `${url}/verify`, {});
      this.#next.push(async () => {
        await this.#call("POST", `${url}/approve`, {});
      });
    });
  }
}
