import type { Static } from "typebox";
import type { ActivityReply } from "#contracts/http/sessions.ts";
import type { SessionStore } from "#session-client/session-store.ts";
import type { ApiClient } from "../data/api-client.ts";
import { observed } from "../data/observed.ts";

const ACTIVITY = "/prod/api/auth/activity";
/** Storage key under which tabs share when the session expires, in milliseconds since the epoch. */
const KEY = "console-idle-until";
/** Minimum interval for reporting activity to the server. */
const REPORT_EVERY_MS = 60_000;
/** The server records activity at most every 15 seconds, so it may count from an earlier time. */
const MARGIN_MS = 20_000;
/** How long before it expires an idle session shows a warning. */
const WARNS_MS = 120_000;

/** What the console shows. `over`: the user has to sign in again. */
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
 * Idle timeout of staff in one tab of the console. Tabs share it: activity in one keeps all signed in. Once it
 * expires, the page stays as it is behind a notice until the same account has signed in again, so nothing that was
 * typed is lost.
 */
export class IdleSession {
  readonly #deps: Deps;
  readonly shown = observed<IdleState>(USED);
  #account: string | undefined;
  #usedMs = 0;
  #toldMs = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async open(): Promise<void> {
    this.#deps.storage.removeItem(KEY);
    this.#account = this.#deps.session.read()?.user.id;
    this.used();
    await this.tell();
  }

  used(): void {
    this.#usedMs = this.#now();
  }

  /** Checks the clock; called every second. */
  look(): void {
    if (this.shown.now().kind === "over") return;
    const isDue =
      this.shown.now().kind === "warns" || this.#now() - this.#toldMs >= REPORT_EVERY_MS;
    const untilMs = this.#untilMs();
    if (this.isOver()) this.end();
    else if (this.#usedMs > this.#toldMs && isDue) void this.tell();
    else if (untilMs !== undefined && untilMs - this.#now() <= WARNS_MS) this.#warn(untilMs);
    else this.shown.set(USED);
  }

  /** Reports activity to the server, and stores for how long that counts. */
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
      // The next command will reveal the problem.
    }
  }

  /** Whether the session expired for inactivity in all tabs while this page was open. */
  isOver(): boolean {
    const untilMs = this.#untilMs();
    if (this.#account === undefined) return false;
    return this.shown.now().kind === "over" || (untilMs !== undefined && untilMs <= this.#now());
  }

  /** Makes the page wait for its account to sign in again. */
  end(): void {
    if (this.shown.now().kind === "over") return;
    this.shown.set(OVER);
    this.#deps.session.clear("ended");
  }

  /**
   * Resumes once someone has signed in using another tab.
   * @returns whether it is another account, which must not see this page.
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
