import { SystemSettingsReply } from "#contracts/http/settings.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { type Settings, SYSTEM_SETTINGS, settingsAt } from "#contracts/settings/settings-at.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";

export function settingsRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, names, freshness } = side;
  const read = reads(["admin"], "system", freshness.waitFor(["settings"], "any"));
  app.get(
    SYSTEM_SETTINGS,
    read({
      summary: "The registry's settings, and who last changed each",
      reply: SystemSettingsReply,
    }),
    async ({ log }) => {
      const row = await findSettings(db);
      const changed = Object.entries(row?.changes ?? {});
      const nameOf = await names.nameOf(
        changed.map(([, { by }]) => by),
        log,
      );
      const changes = changed.map(([name, { by, at }]) => [
        name,
        { at, ...omitUndefined({ by: nameOf(by) }) },
      ]);
      return succeed({
        ...settingsAt(row?.state, Date.now()),
        revision: row?.state.revision ?? -1,
        changes: Object.fromEntries(changes),
        otherwise: side.otherwise(),
      });
    },
  );
}

/** Milliseconds between polls, in case a notification was lost. */
const EVERY_MS = 1_000;

interface Deps {
  readonly db: ReadModelDatabase;
  readonly onError: (error: unknown) => void;
  /** Called with the current settings after each read. */
  readonly onRead?: (settings: Settings) => void;
}

/** Settings read from the projected row, on each change notification and every second. */
export class CurrentSettings {
  readonly #deps: Deps;
  #state: Parameters<typeof settingsAt>[0];
  readonly #reads: Periodic;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#reads = new Periodic(() => this.#read(), {
      everyMs: EVERY_MS,
      onError: (error, isFirst) => isFirst && deps.onError(error),
    });
  }

  /** Returns the current settings, as of the last read. */
  readonly settings = (): Settings => settingsAt(this.#state, Date.now());

  /** Reads the row. While the tables are unavailable, the last known settings apply. */
  readonly read = (): Promise<void> => this.#reads.afresh();

  start(): void {
    this.#reads.start();
  }

  stop(): Promise<void> {
    return this.#reads.stop();
  }

  async #read(): Promise<void> {
    const { db, onRead } = this.#deps;
    this.#state = (await findSettings(db))?.state;
    onRead?.(this.settings());
  }
}

/** The projected settings; undefined before the first change. */
function findSettings(db: ReadModelDatabase) {
  return db.selectFrom("settings.present").select(["state", "changes"]).limit(1).executeTakeFirst();
}
