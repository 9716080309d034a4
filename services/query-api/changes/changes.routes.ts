import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import type { Role } from "#contracts/http/account.ts";
import {
  CHANGE_EVENTS,
  CHANGED_RESOURCES,
  CHANGES,
  type Change,
  type ChangedResource,
} from "#contracts/http/changes.ts";
import { type AccountGate, identify, TOKEN_LIFE } from "#http/auth.ts";
import type { LogPosition } from "#http/position-headers.ts";
import type { ServiceInstance } from "#http/service.ts";
import { acceptsEvents, EVENT_STREAM } from "#http/shared-port.ts";
import type { ReadSide } from "../read-side.ts";
import { Slots } from "../slots.ts";
import type { ChangedStreams, ChangeFeed, ClaimPoller } from "./change-feed.ts";

/** Maximum event streams that one process keeps open: per account, and in total. */
export const STREAM_LIMITS = { ofAccount: 10, inAll: 500 } as const;

/** Treats an unreadable position like one of another log: anything may have changed. */
const UNKNOWN: LogPosition = { epoch: "", position: "" };

/** The event stream that notifies the console of other people's changes. */
export function changeRoutes(
  app: ServiceInstance,
  { feed, claims, accounts, positions, heartbeatMs }: ReadSide,
): void {
  const streams = new Slots({
    ...STREAM_LIMITS,
    accountError: (own) =>
      new DomainError(
        "too_many_streams",
        `Your account is already open in ${own} windows. Close one of them.`,
      ),
    totalError: () =>
      new DomainError(
        "unavailable",
        "Too many windows are open right now. Please try again in a moment.",
      ),
  });
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  app.route({
    method: "GET",
    url: CHANGES,
    // It ends with the token, and the client resumes with the next one.
    handlerTimeout: (TOKEN_LIFE + 60) * 1000,
    config: { roles: ["admin", "auditor"], limit: "read" },
    schema: {
      tags: ["system"],
      summary: "Changes as server-sent events: resources and IDs, no contents",
      produces: [EVENT_STREAM],
      response: { 200: Type.Any() },
    },
    handler: async (request, reply) => {
      const { actor } = request;
      if (request.method === "HEAD") return ofEvents(reply).send("");
      const close = streams.take(actor.id ?? "");
      const gone = new AbortController();
      const header = request.headers["last-event-id"];
      const frames = changeFrames({
        feed,
        claims,
        role: actor.role as Role,
        since: header === undefined ? undefined : (positions.open(header) ?? UNKNOWN),
        // Clients that can't read a stream poll instead.
        lasts: acceptsEvents(request.raw),
        mayGoOn: () => isStillAllowed(request, accounts),
        seal: positions.seal,
        signal: AbortSignal.any([closing.signal, gone.signal]),
        heartbeatMs,
      });
      const text = Readable.from(frames, { objectMode: false });
      text.once("close", () => {
        gone.abort();
        close();
      });
      return ofEvents(reply).send(text);
    },
  });
}

function ofEvents(reply: FastifyReply): FastifyReply {
  return (
    reply
      .type(EVENT_STREAM)
      // No proxy may cache, compress or buffer it.
      .header("cache-control", "no-store, no-transform")
      .header("x-accel-buffering", "no")
      // Kept alive without a request, it would delay a shutdown.
      .header("connection", "close")
  );
}

/** Whether whoever opened the stream could still open it now, in the same role. */
async function isStillAllowed(request: FastifyRequest, accounts: AccountGate): Promise<boolean> {
  try {
    const { id, role, needsFactor } = await identify(request, accounts);
    return !needsFactor && id === request.actor.id && role === request.actor.role;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** Milliseconds over which changes are collected, so that bulk decisions arrive together. */
const TOGETHER_MS = 250;

interface Options {
  readonly feed: Pick<ChangeFeed, "listen">;
  readonly claims: Pick<ClaimPoller, "listen">;
  readonly role: Role;
  readonly since: LogPosition | undefined;
  /** Whether the listener may still receive changes. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly seal: (position: LogPosition) => string;
  /** Whether it stays open for later changes; otherwise it ends with what was missed. */
  readonly lasts: boolean;
  /** Aborted once the connection or the service is closed. */
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
}

/** Yields server-sent events until the end. Checks before each part whether the listener may continue. */
async function* changeFrames(options: Options): AsyncGenerator<string, void, undefined> {
  const { feed, claims, role, since, lasts, mayGoOn, seal, signal, heartbeatMs } = options;
  const collected = new Collected();
  let isReset = false;
  let at: LogPosition | undefined;
  let wake: () => void = () => undefined;
  const take = ({ at: reached, streams }: ChangedStreams) => {
    at = reached;
    if (streams) for (const stream of streams) collected.addStream(stream);
    else isReset = true;
    wake();
  };
  const listening = await feed.listen(take, since);
  // The log is empty.
  if (!listening) return;
  const takeClaims = () => {
    collected.add({ resource: "queue" });
    wake();
  };
  let stopClaims: () => void = () => undefined;
  try {
    stopClaims = await claims.listen(takeClaims);
    const { missed } = listening;
    if (since === undefined) yield frame(CHANGE_EVENTS.open, [], seal(missed.at));
    else {
      yield frame(CHANGE_EVENTS.open, [], undefined);
      // What arrived since listening started is newer.
      const newest = at;
      take(missed);
      at = newest ?? at;
      // No log position shows what was missed of these.
      takeClaims();
    }
    while (!signal.aborted) {
      if (collected.isEmpty && !isReset) {
        if (!lasts) return;
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await until(woken, heartbeatMs, signal);
        if (!collected.isEmpty || isReset) await until(undefined, TOGETHER_MS, signal);
      }
      if (signal.aborted || !(await mayGoOn())) return;
      const [changes, wasReset] = [collected.for(role), isReset];
      // Before yielding the text, which may take a while.
      collected.clear();
      isReset = false;
      const id = at && seal(at);
      if (wasReset) yield frame(CHANGE_EVENTS.reset, [], id);
      else if (changes.length > 0) yield frame(CHANGE_EVENTS.changes, changes, id);
      else yield ":\n\n";
    }
  } finally {
    listening.stop();
    stopClaims();
  }
}

/** Waits for the promise until the timeout or the end of the stream. */
async function until(
  what: Promise<void> | undefined,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const time = pause(ms, undefined, { signal: either }).catch(() => undefined);
  await (what ? Promise.race([what, time]) : time);
  done.abort();
}

function frame(event: string, changes: readonly Change[], id: string | undefined): string {
  const head = id === undefined ? "" : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${JSON.stringify(changes)}\n\n`;
}

/** The resource that the events of each kind of stream change. All other streams affect only the audit log. */
const RESOURCE_OF: Readonly<Record<string, ChangedResource>> = {
  content: "content",
  inquiry: "inquiries",
  notice: "inquiries",
  report: "reports",
  settings: "settings",
  template: "templates",
  user: "users",
};

/** Maximum IDs listed per resource; if there are more, only the resource is reported. */
export const NAMED_AT_MOST = 100;

/** Collects changes without duplicates. */
export class Collected {
  /** IDs by resource; null if there are too many. */
  readonly #ids = new Map<ChangedResource, Set<string> | null>();

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  addStream(stream: string): void {
    const dash = stream.indexOf("-");
    const kind = dash < 0 ? stream : stream.slice(0, dash);
    const resource = RESOURCE_OF[kind];
    if (resource) this.add({ resource, ...(dash < 0 ? {} : { id: stream.slice(dash + 1) }) });
    this.add({ resource: "audit-logs" });
  }

  add({ resource, id }: Change): void {
    const ids = this.#ids.get(resource);
    if (ids === null) return;
    if (id === undefined || (ids && ids.size >= NAMED_AT_MOST)) this.#ids.set(resource, null);
    else if (ids) ids.add(id);
    else this.#ids.set(resource, new Set([id]));
  }

  for(role: Role): Change[] {
    return [...this.#ids].flatMap(([resource, ids]): Change[] => {
      const roles: readonly Role[] = CHANGED_RESOURCES[resource];
      if (!roles.includes(role)) return [];
      return ids ? [...ids].map((id) => ({ resource, id })) : [{ resource }];
    });
  }

  clear(): void {
    this.#ids.clear();
  }
}
