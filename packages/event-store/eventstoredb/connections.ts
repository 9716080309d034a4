import { BackOff, type BackOffLimits } from "#runtime/lifecycle/back-off.ts";
import { ABORTED, orAborted, pause } from "../follow-log.ts";
import { StoreUnavailable } from "../port.ts";
import { type StoreLog, silent } from "../store-log.ts";
import { failureOf, isSilence, NoAnswer } from "./failures.ts";

/** A client that can be abandoned. */
export interface DisposableClient {
  /** When its search for a node began, while it searches; a time of `performance.now()`. */
  readonly searchingSince: number | undefined;
  /** Why the search has found none so far; undefined once it has found one. */
  readonly searchFailure?: unknown;
  /** Resolves once the node to call is known. */
  connect(): Promise<void>;
  leave(): Promise<void>;
}

/** The current client. */
export interface Connection<C> {
  readonly client: C;
  /** Aborts with {@link ClientReplaced} when the client is abandoned. */
  readonly left: AbortSignal;
  /** Records that the server has answered. */
  alive(): void;
}

interface CallLimits {
  /** Longest wait for a client, as a time of `performance.now()`. */
  readonly latest: number;
  readonly signal?: AbortSignal | undefined;
}

/** One process's calls to one server or cluster. */
export interface Connections<C> {
  /** Returns the current client, for a subscription. @throws {NoAnswer} @throws the signal's reason. */
  current(limits: CallLimits): Promise<Connection<C>>;
  /** Runs one call; a client that is silent for `stallMs` is abandoned. @throws {ClientReplaced} retry the call. */
  run<T>(
    call: (connection: Connection<C>) => Promise<T>,
    limits: CallLimits & { readonly stallMs: number },
  ): Promise<T>;
}

/** The call's client was abandoned. The next one may reach another node. */
export class ClientReplaced extends StoreUnavailable {
  constructor() {
    super("the event log did not answer; its client was replaced");
  }
}

/** Delays between abandoned clients: gRPC can't end connections to a hung node. */
const BACK_OFF: BackOffLimits = { minMs: 50, maxMs: 10_000 };

/** How long calls wait for a search that finds no node, in milliseconds. */
const SEARCH_MS = 2_500;

interface Entry<C> extends Connection<C> {
  answeredAt: number;
  /** The delay before its first call; undefined afterward. */
  ready: Promise<void> | undefined;
  giveUp(): void;
}

/** Replaces a client whose calls time out, since a hung node still accepts connections. */
export class ReplacedConnections<C extends DisposableClient> implements Connections<C> {
  readonly #open: () => C;
  readonly #log: StoreLog;
  readonly #backOff = new BackOff(BACK_OFF);
  readonly #leaving = new Set<Promise<void>>();
  #entry: Entry<C> | undefined;
  #pauseMs = 0;
  #isClosed = false;

  constructor(open: () => C, log: StoreLog = silent) {
    this.#open = open;
    this.#log = log;
  }

  async current({ latest, signal }: CallLimits): Promise<Connection<C>> {
    signal?.throwIfAborted();
    // No one would close a client that is opened now.
    if (this.#isClosed) throw new StoreUnavailable("the event log is closed");
    this.#entry ??= this.#begin();
    const entry = this.#entry;
    // A client that reconnects by itself may have to search again.
    const ready = entry.ready
      ? entry.ready.then(() => entry.client.connect())
      : entry.client.connect();
    if (!entry.ready && entry.client.searchingSince === undefined) {
      await ready;
      return entry;
    }
    const now = performance.now();
    const patience = (entry.client.searchingSince ?? now) + SEARCH_MS;
    const waitMs = Math.max(0, Math.min(latest, patience) - now);
    const timeout = AbortSignal.timeout(Math.ceil(waitMs));
    const ends = [timeout, entry.left, ...(signal ? [signal] : [])];
    const first = await orAborted(ready, AbortSignal.any(ends));
    if (first === undefined) return entry;
    signal?.throwIfAborted();
    entry.left.throwIfAborted();
    throw new NoAnswer(Math.ceil(waitMs), { cause: entry.client.searchFailure });
  }

  async run<T>(
    call: (connection: Connection<C>) => Promise<T>,
    limits: CallLimits & { readonly stallMs: number },
  ): Promise<T> {
    const entry = (await this.current(limits)) as Entry<C>;
    const { stallMs } = limits;
    const beganAt = performance.now();
    const judge = () => {
      if (entry.answeredAt < beganAt) entry.giveUp();
    };
    // Data that arrived while the process was busy is processed first.
    const timer = setTimeout(() => setImmediate(judge), stallMs);
    try {
      const result = await orAborted(call(entry), entry.left);
      if (result === ABORTED) throw entry.left.reason;
      entry.alive();
      return result;
    } catch (error) {
      if (!isSilence(error)) {
        if (failureOf(error) !== "away") entry.alive();
        throw error;
      }
      if (performance.now() - beganAt >= stallMs * 0.9) judge();
      entry.left.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Leaves the current client. Later calls are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#entry) this.#leave(this.#entry.client);
    await Promise.all(this.#leaving);
  }

  #begin(): Entry<C> {
    const client = this.#open();
    const left = new AbortController();
    const pauseMs = this.#pauseMs;
    const entry: Entry<C> = {
      client,
      left: left.signal,
      answeredAt: Number.NEGATIVE_INFINITY,
      ready: undefined,
      alive: () => {
        entry.answeredAt = performance.now();
        if (this.#entry !== entry || this.#pauseMs === 0) return;
        this.#pauseMs = 0;
        this.#backOff.reset();
        this.#log.info({}, "the event log is responding again");
      },
      giveUp: () => {
        if (this.#entry !== entry) return;
        this.#entry = undefined;
        this.#pauseMs = this.#backOff.next();
        if (this.#backOff.attempts === 1)
          this.#log.warn({}, "the event log is not responding; reconnecting");
        left.abort(new ClientReplaced());
        this.#leave(client);
      },
    };
    if (pauseMs > 0)
      entry.ready = pause(pauseMs, left.signal).then(() => {
        entry.ready = undefined;
      });
    return entry;
  }

  #leave(client: C): void {
    const leaving = client.leave().catch(() => undefined);
    this.#leaving.add(leaving);
    void leaving.then(() => this.#leaving.delete(leaving));
  }
}
