import type { Logger } from "pino";
import { type SettingsEvent, streams } from "#contracts/events/index.ts";
import { evolveSettings, type SettingsState } from "#contracts/events/settings/settings-fold.ts";
import { type Settings, settingsAt } from "#contracts/settings/settings-at.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";

/** Poll interval in milliseconds: a change applies everywhere within two seconds. */
const EVERY_MS = 500;

interface Deps {
  readonly store: Pick<EventStore, "readStream">;
  readonly keys: Pick<KeyStore, "get">;
  readonly log: Pick<Logger, "warn">;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Called with the current settings after the first read and after each read that found a change. */
  readonly onChange?: (settings: Settings) => void;
}

/** Follows the settings in a process that reads the log, polling their stream twice a second. */
export class SettingsFollower {
  readonly #deps: Deps;
  readonly #reads = new Periodic(() => this.read(), {
    everyMs: EVERY_MS,
    onError: (err, isFirst) =>
      isFirst && this.#deps.log.warn({ err }, "could not read the settings; retrying"),
  });
  /** The last event read. If it is missing from the stream, the log was replaced. */
  #last: Pick<StoredEvent, "id" | "revision"> | undefined;
  #state: SettingsState | undefined;
  #reading: Promise<void> | undefined;
  #hasTold = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The settings in effect, as of the last read. */
  readonly settings = (): Settings => settingsAt(this.#state, (this.#deps.now ?? Date.now)());

  /** Reads new events. @throws {StoreUnavailable} @throws {KeyStoreUnavailable} @throws {UnknownEvent} */
  async read(): Promise<void> {
    await this.#reading?.catch(() => undefined);
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** Polls until stopped. While the log is unavailable, the last known settings apply. */
  start(): void {
    this.#reads.start();
  }

  async stop(): Promise<void> {
    await this.#reads.stop();
    await this.#reading?.catch(() => undefined);
  }

  async #read(): Promise<void> {
    const { store, onChange } = this.#deps;
    const from = this.#last?.revision ?? 0;
    const events: StoredEvent[] = [];
    for await (const event of store.readStream(streams.settings, from)) events.push(event);
    if (this.#last !== undefined && events.shift()?.id !== this.#last.id) {
      // The log was restored from a backup: discard what came from the old one.
      this.#last = undefined;
      this.#state = undefined;
      this.#hasTold = false;
      return this.#read();
    }
    await this.#take(events);
    if (this.#hasTold && events.length === 0) return;
    this.#hasTold = true;
    onChange?.(this.settings());
  }

  async #take(events: readonly StoredEvent[]): Promise<void> {
    if (events.length === 0) return;
    const keys = await this.#deps.keys.get(registryCodec.subjectsOf(events));
    let state = this.#state;
    for (const event of events)
      state = evolveSettings(state, registryCodec.openEvent(event, keys) as SettingsEvent);
    this.#state = state;
    this.#last = events.at(-1);
  }
}

/** The operator's configuration, which admins can override. */
interface Installed {
  readonly supportEmail: string;
  /** The support address if absent. */
  readonly salesEmail?: string | undefined;
}

/** Returns the addresses of the registry's inboxes: as set by admins, or else by the operator. */
export function inboxAddresses(
  { supportEmail, salesEmail }: Settings,
  installed: Installed,
): { readonly support: string; readonly sales: string } {
  const support = supportEmail || installed.supportEmail;
  return { support, sales: salesEmail || installed.salesEmail || support };
}

/** Whether staff need a second factor. @param installed the operator's configuration. */
export function staffFactorIn(
  { staffSecondFactor }: Pick<Settings, "staffSecondFactor">,
  installed: "on" | "off",
): "on" | "off" {
  return staffSecondFactor === "on" || staffSecondFactor === "off" ? staffSecondFactor : installed;
}
