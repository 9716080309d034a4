import type { Settings } from "#contracts/settings/settings-at.ts";
import { settingsAt } from "#contracts/settings/settings-at.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** Milliseconds between two looks, in case the word of a change was lost. */
const EVERY_MS = 1_000;

interface Deps {
  readonly db: ReadModelDatabase;
  readonly onError: (error: unknown) => void;
  /** Called with what applies after each read. */
  readonly onRead?: (settings: Settings) => void;
}

/** The settings of a process that reads the projected row: when it is told of a change, and each second. */
export class PresentSettings {
  readonly #deps: Deps;
  #state: Parameters<typeof settingsAt>[0];
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #isFailing = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What applies now, as of the last read. */
  readonly settings = (): Settings => settingsAt(this.#state, Date.now());

  /** Reads the row. While the tables are away, the last known settings apply. */
  readonly read = async (): Promise<void> => {
    await this.#reading;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  };

  start(): void {
    this.#timer = setInterval(() => void this.read(), EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { db, onError, onRead } = this.#deps;
    try {
      this.#state = (await findSettings(db))?.state;
      this.#isFailing = false;
      onRead?.(this.settings());
    } catch (error) {
      if (!this.#isFailing) onError(error);
      this.#isFailing = true;
    }
  }
}

/** The settings as the log has them; undefined before the first change. */
export function findSettings(db: ReadModelDatabase) {
  return db.selectFrom("settings.present").select(["state", "changes"]).limit(1).executeTakeFirst();
}
