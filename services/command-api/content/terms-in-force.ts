import { TERMS_VERSION } from "#contracts/report/words.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import type { CommandHandler } from "../kernel/handler.ts";

/** Cache time: a publication takes effect in every process within two seconds. */
const CACHE_MS = 1_000;

/** Version of the terms in force: from the log or, until changed, the shipped one. */
export class TermsInForce {
  readonly #handler: Pick<CommandHandler, "first" | "lastOf">;
  readonly #stream: string;
  #version = this.#cached();

  /** @param stream of the terms. */
  constructor(handler: Pick<CommandHandler, "first" | "lastOf">, stream: string) {
    this.#handler = handler;
    this.#stream = stream;
  }

  /** Every submission needs the version, so it is cached: the log is read at most once a second. */
  termsVersion(): Promise<string> {
    return this.#version();
  }

  /** Clears the cache after this process changed a text. */
  forget(): void {
    this.#version = this.#cached();
  }

  #cached() {
    return shareResult(() => this.#read(), CACHE_MS);
  }

  async #read(): Promise<string> {
    const terms = { stream: this.#stream };
    const last = await this.#handler.lastOf(terms, "ContentPublished");
    // Terms that were edited but not published are still the shipped ones.
    return versionOf(last ?? (await this.#handler.first(terms))) ?? TERMS_VERSION;
  }
}

/** Reads the version, which is stored unencrypted and needs no key. */
function versionOf(event: StoredEvent | undefined): string | undefined {
  const { version } = event?.data ?? {};
  return typeof version === "string" ? version : undefined;
}
