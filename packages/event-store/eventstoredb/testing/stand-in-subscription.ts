import { type ServiceError, status } from "@grpc/grpc-js";
import type { StandInLog, StandInRecord } from "./stand-in-log.ts";
import * as messages from "./stand-in-messages.ts";
import type { ReadCall } from "./stand-in-server.ts";

/** Events that may wait for a live subscriber before its subscription is ended. */
const LIVE_BUFFER = 32;

const DEFAULT_WINDOW = 32;

/** One subscription to the whole log, as EventStoreDB 23.10 serves it. */
export class StandInSubscription {
  readonly #call: ReadCall;
  readonly #log: StandInLog;
  readonly #id: string;
  readonly #onSent: () => void;
  readonly #closed: Promise<void>;
  readonly #passes: (record: StandInRecord) => boolean;
  readonly #window: number;
  /** Index of the next record to consider. */
  #next: number;
  #considered = 0;
  #blocked = false;
  #muted = false;
  #over = false;

  constructor(
    call: ReadCall,
    log: StandInLog,
    begin: number,
    { id, onSent }: { readonly id: string; onSent(): void },
  ) {
    this.#call = call;
    this.#log = log;
    this.#next = begin;
    this.#id = id;
    this.#onSent = onSent;
    this.#closed = closed(call);
    const filter = call.request.getOptions()?.getFilter();
    const expression = filter?.getStreamIdentifier() ?? filter?.getEventType();
    const prefixes = expression?.getPrefixList() ?? [];
    const regex = expression?.getRegex() ? new RegExp(expression.getRegex(), "u") : undefined;
    const onStream = filter?.hasStreamIdentifier() === true;
    this.#window =
      (filter?.hasMax() ? filter.getMax() : DEFAULT_WINDOW) *
      (filter?.getCheckpointintervalmultiplier() ?? 1);
    this.#passes = (record) => {
      if (!expression) return true;
      const text = onStream ? record.stream : record.type;
      return regex ? regex.test(text) : prefixes.some((prefix) => text.startsWith(prefix));
    };
  }

  start(): void {
    this.#call.write(messages.confirmation(this.#id));
    void this.#run();
  }

  end(): void {
    this.#over = true;
    this.#call.end();
  }

  fail(error: ServiceError): void {
    this.#over = true;
    this.#call.emit("error", error);
  }

  tooSlow(): void {
    this.fail(messages.failure(status.UNKNOWN, "Consumer too slow to handle event while live."));
  }

  mute(): void {
    this.#muted = true;
  }

  get #isOver(): boolean {
    return this.#over || this.#call.cancelled || this.#call.destroyed;
  }

  async #run(): Promise<void> {
    while (this.#next < this.#log.records.length && !this.#isOver) {
      this.#considerNext();
      if (this.#blocked) await this.#drained();
    }
    if (this.#isOver) return;
    this.#send(messages.caughtUp());
    const stop = this.#log.onGrown(() => this.#live());
    void this.#closed.then(stop);
    this.#live();
  }

  /** A live subscription does not wait for its subscriber. */
  #live(): void {
    if (this.#isOver) return;
    if (this.#blocked) {
      if (this.#log.records.length - this.#next > LIVE_BUFFER) this.tooSlow();
      return;
    }
    while (this.#next < this.#log.records.length && !this.#blocked) this.#considerNext();
    if (this.#blocked) void this.#drained().then(() => this.#live());
  }

  #considerNext(): void {
    const record = this.#log.records[this.#next] as StandInRecord;
    this.#next += 1;
    this.#considered += 1;
    if (this.#passes(record)) {
      this.#send(messages.eventMessage(record));
      this.#onSent();
    }
    if (this.#call.request.getOptions()?.hasFilter() && this.#considered % this.#window === 0)
      this.#send(messages.checkpoint(record.position));
  }

  #send(message: ReturnType<typeof messages.caughtUp>): void {
    if (this.#muted || this.#isOver) return;
    if (!this.#call.write(message)) this.#blocked = true;
  }

  async #drained(): Promise<void> {
    await drained(this.#call, this.#closed);
    this.#blocked = false;
  }
}

/** Resolves when a call is over, for whatever reason. */
export function closed(call: ReadCall): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["close", "cancelled", "finish"]) call.once(event, () => resolve());
  });
}

/** Resolves when the client can accept more, or has disconnected. */
export async function drained(call: ReadCall, over: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  call.once("drain", resolve);
  await Promise.race([promise, over]);
  call.off("drain", resolve);
}
