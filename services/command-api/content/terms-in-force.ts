import { TERMS_VERSION } from "#contracts/report/words.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { CommandHandler } from "../kernel/handler.ts";

/** How long an answer is kept: within two seconds a publication counts in every process. */
const KEPT_MS = 1_000;

/** Which terms are in force: those of the log or, while no one changed them, those that ship. */
export class TermsInForce {
  readonly #handler: Pick<CommandHandler, "first" | "lastOf">;
  readonly #stream: string;
  readonly #now: () => number;
  #held: { readonly at: number; readonly version: Promise<string> } | undefined;

  /** @param stream of the terms. @param now a monotonic clock, in milliseconds. */
  constructor(
    handler: Pick<CommandHandler, "first" | "lastOf">,
    stream: string,
    now: () => number = () => performance.now(),
  ) {
    this.#handler = handler;
    this.#stream = stream;
    this.#now = now;
  }

  /** Each report is submitted under a version: the log is read once a second for all of them. */
  termsVersion(): Promise<string> {
    const held = this.#held;
    if (held && this.#now() - held.at < KEPT_MS) return held.version;
    const version = this.#read();
    const mine = { at: this.#now(), version };
    this.#held = mine;
    version.catch(() => {
      if (this.#held === mine) this.#held = undefined;
    });
    return version;
  }

  /** This process has changed them. */
  forget(): void {
    this.#held = undefined;
  }

  async #read(): Promise<string> {
    const terms = { stream: this.#stream };
    const last = await this.#handler.lastOf(terms, "ContentPublished");
    // Terms that were edited and not published are still those that shipped.
    return versionOf(last ?? (await this.#handler.first(terms))) ?? TERMS_VERSION;
  }
}

/** The version is in the clear, so no key is needed. */
function versionOf(event: StoredEvent | undefined): string | undefined {
  const { version } = event?.data ?? {};
  return typeof version === "string" ? version : undefined;
}
