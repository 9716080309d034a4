import type { Static } from "typebox";
import type { ActivityReply } from "#contracts/http/sessions.ts";
import type { SessionStore } from "#session-client/session-store.ts";
import type { ApiClient } from "../data/api-client.ts";
import { observed } from "../data/observed.ts";

const ACTIVITY = "/prod/api/auth/activity";
/** Where tabs share until when the session lasts, in milliseconds since the epoch. */
const KEY = "console-idle-until";
/** How often the server is told at most that somebody is there. */
const TOLD_EVERY_MS = 60_000;
/** The server notes uses within a quarter of a minute once, so it may count from earlier. */
const MARGIN_MS = 20_000;
/** How long before its end a session without use warns. */
const WARNS_MS = 120_000;

/** What the console shows of it. `over`: anyone who comes back has to sign in again. */
export type IdleState =
  | { readonly kind: "used" }
  | { readonly kind: "warns"; readonly untilMs: number }
  | { readonly kind: "over" };

const USED: IdleState = { kind: "used" };
const OVER: IdleState = { kind: "over" };

interface Deps {
  readonly client: Pick<ApiClient, "request">;
  readonly session: SessionStore;
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * The time that staff may do nothing, in one tab of the console. Tabs share it: what is done in one
 * keeps all signed in. Once it is over, the page stays as it is behind the notice that says so, until
 * the same account has signed in again, so nothing that was typed is lost.
 */
export class IdleSession {
  readonly #deps: Deps;
  /** What the console shows of it. */
  readonly shown = observed<IdleState>(USED);
  #account: string | undefined;
  #usedMs = 0;
  #toldMs = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Begins with a page that somebody has opened. */
  async open(): Promise<void> {
    this.#deps.storage.removeItem(KEY);
    this.#account = this.#deps.session.read()?.user.id;
    this.used();
    await this.tell();
  }

  /** Somebody pressed a key or touched the page. */
  used(): void {
    this.#usedMs = this.#now();
  }

  /** Looks at the clock; called each second. */
  look(): void {
    if (this.shown.now().kind === "over") return;
    const isDue = this.shown.now().kind === "warns" || this.#now() - this.#toldMs >= TOLD_EVERY_MS;
    const untilMs = this.#untilMs();
    if (this.isOver()) this.end();
    else if (this.#usedMs > this.#toldMs && isDue) void this.tell();
    else if (untilMs !== undefined && untilMs - this.#now() <= WARNS_MS) this.#warn(untilMs);
    else this.shown.set(USED);
  }

  /** Tells the server that somebody is there, and learns for how long that counts. */
  async tell(): Promise<void> {
    const sentMs = this.#now();
    this.#toldMs = sentMs;
    try {
      const { json } = await this.#deps.client.request(ACTIVITY, { method: "POST", body: {} });
      const { idle_minutes } = (json as Static<typeof ActivityReply>).data;
      if (idle_minutes === undefined) return;
      this.#deps.storage.setItem(KEY, String(sentMs + idle_minutes * 60_000 - MARGIN_MS));
      if (this.shown.now().kind === "warns") this.shown.set(USED);
    } catch {
      // The next command finds out what is the matter.
    }
  }

  /** Whether nothing was done for too long, in any tab, while this page was open. */
  isOver(): boolean {
    const untilMs = this.#untilMs();
    if (this.#account === undefined) return false;
    return this.shown.now().kind === "over" || (untilMs !== undefined && untilMs <= this.#now());
  }

  /** The page waits for its account to sign in again. */
  end(): void {
    if (this.shown.now().kind === "over") return;
    this.shown.set(OVER);
    this.#deps.session.clear("ended");
  }

  /**
   * Goes on once somebody has signed in in another tab.
   * @returns whether it is another account, for which the page is not.
   */
  resume(): "goes_on" | "other_account" | "waits" {
    const account = this.#deps.session.read()?.user.id;
    if (this.shown.now().kind !== "over" || account === undefined) return "waits";
    if (account !== this.#account) return "other_account";
    this.#deps.storage.removeItem(KEY);
    this.used();
    this.shown.set(USED);
    void this.tell();
    return "goes_on";
  }

  #untilMs(): number | undefined {
    const kept = Number(this.#deps.storage.getItem(KEY) ?? Number.NaN);
    return Number.isFinite(kept) ? kept : undefined;
  }

  #now(): number {
    return (this.#deps.now ?? Date.now)();
  }

  #warn(untilMs: number): void {
    const now = this.shown.now();
    if (now.kind !== "warns" || now.untilMs !== untilMs) this.shown.set({ kind: "warns", untilMs });
  }
}
