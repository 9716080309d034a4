import { expect } from "vitest";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import type { Random } from "#test-kit/random.ts";
import { type BackupPlaces, dayOf, keepBackup, NotRotated, verifyBackup } from "../backups.ts";
import type { PlaceMemory } from "../markers.ts";
import type { ArchivePlace } from "../place.ts";
import type { BackupSource } from "../source.ts";
import { type DiskState, FaultyPlace, type Step } from "./faulty-place.ts";

/** A disk that can be mounted at a place. */
export interface TestDisk extends DiskState {
  readonly place: ArchivePlace;
  /** Removes its content. @param marker whether to remove the marker too. */
  wipe(marker: boolean): Promise<void>;
  /** Archives and marker, each with a text that changes with its content. */
  contents(): Promise<ReadonlyMap<string, string>>;
}

/** A registry to back up. */
export interface TestRegistry {
  /** All of its master keys ever, current one first: the operator keeps them. */
  masterKeys(): readonly Buffer[];
  /** Adds events and a file. */
  grow(): Promise<void>;
  rotateKey(): Promise<void>;
  /** @param step awaited between reads. */
  source(options: {
    readonly masterKeys: readonly Buffer[];
    readonly hasFiles: boolean;
    readonly step: Step;
  }): Promise<BackupSource & AsyncDisposable>;
}

/** Where histories run: in memory or on real stores. */
export interface Setting {
  newDisk(): Promise<TestDisk>;
  newRegistry(): Promise<TestRegistry>;
}

/** A backup reported as made. */
interface Good {
  readonly name: string;
  readonly of: Registry;
  readonly data: TestDisk;
  readonly keys: TestDisk;
  readonly contents: readonly [string, string];
}

export interface Outcome {
  made: number;
  refused: number;
  killed: number;
  removed: number;
  /** Backups made without being able to remove older ones. */
  unrotated: number;
  /** Faults that were refused with nothing changed. */
  readonly seen: ReadonlySet<string>;
  /** Backups that must be restorable at the end, oldest first. */
  readonly young: readonly (Pick<Good, "name"> & {
    readonly places: BackupPlaces;
    readonly masterKeys: readonly Buffer[];
    readonly isFirst: boolean;
  })[];
}

const DAYS = 3;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

class Killed extends Error {}

/** A registry and its database's record of the places. */
class Registry {
  readonly registry: TestRegistry;
  pair: string | undefined;

  constructor(registry: TestRegistry) {
    this.registry = registry;
  }

  memory(step: Step): PlaceMemory {
    return {
      recall: async () => {
        await step();
        return this.pair;
      },
      remember: async (pair) => {
        await step();
        this.pair = pair;
        await step();
      },
    };
  }
}

/** Operator errors and other faults in a run. */
const FAULTS = [
  ...Array.from({ length: 20 }, () => "none"),
  ...["killed", "killed", "killed", "killed", "killed"],
  ...["read-only data", "read-only keys", "full data", "full keys", "clock set back"],
  ...["unmounted data", "unmounted keys", "unmounted both", "mistyped data", "mistyped keys"],
  ...["swapped", "one place", "wrong master key", "no evidence", "another registry"],
];
/** Faults that are refused in previously used places, with nothing changed. */
export const REFUSED: ReadonlySet<string> = new Set([
  ...["unmounted data", "unmounted keys", "unmounted both", "mistyped data", "mistyped keys"],
  ...["swapped", "one place", "wrong master key", "another registry"],
]);

/** Runs one random history of a registry's backups. Fails as soon as a good and recent backup is lost. */
export async function history(setting: Setting, random: Random): Promise<Outcome> {
  const pick = <T>(items: readonly T[]) => items[random.between(0, items.length - 1)] as T;
  const own = new Registry(await setting.newRegistry());
  const other = new Registry(await setting.newRegistry());
  let [data, keys] = [await setting.newDisk(), await setting.newDisk()];
  const good: Good[] = [];
  const counts = { made: 0, refused: 0, killed: 0, removed: 0, unrotated: 0 };
  const outcome = { ...counts, seen: new Set<string>() };
  let now = Date.UTC(2026, 0, 1 + random.between(0, 300), 2);
  await own.registry.grow();
  await other.registry.grow();

  /** Applies a fault to the disks, the registry, and its settings. */
  async function runWith(fault: string, newPlace: boolean): Promise<void> {
    const by = fault === "another registry" ? other : own;
    const { registry } = by;
    let [to, keysTo] = [data, keys];
    if (/^(unmounted|mistyped) (data|both)/.test(fault)) to = await setting.newDisk();
    if (/^(unmounted|mistyped) (keys|both)/.test(fault)) keysTo = await setting.newDisk();
    if (fault === "swapped") [to, keysTo] = [keysTo, to];
    if (fault === "one place") keysTo = to;
    const [, state, of] = /^(read-only|full) (data|keys)$/.exec(fault) ?? [];
    const sick = of === "data" ? to : keysTo;
    if (state) sick.state = state as DiskState["state"];
    const step = stepsOf(fault === "killed" ? random.between(1, 90) : undefined);
    const places = {
      data: new FaultyPlace(to.place, to, step),
      keys: new FaultyPlace(keysTo.place, keysTo, step),
    };
    const all = [...new Set([data, keys, to, keysTo])];
    const before = await contentsOf(all);
    const wasUsed = ["data", "keys"].every((kind, at) => {
      const marker = JSON.parse(before[at]?.get("marker") ?? "{}");
      return own.pair !== undefined && marker.pair === own.pair && marker.kind === kind;
    });
    if (fault === "clock set back") now -= random.between(1, 6) * DAY_MS;
    const given =
      fault === "wrong master key" ? [Buffer.alloc(32, 7)] : registry.masterKeys().slice(0, 1);
    const hasFiles = fault !== "no evidence";
    const wasRefused = await (async () => {
      try {
        await using source = await registry.source({ masterKeys: given, hasFiles, step });
        const { made, removed } = await keepBackup(source, places, {
          memory: by.memory(step),
          days: DAYS,
          newPlace,
          byHand: pick([true, false]),
          now: () => new Date(now),
        });
        outcome.made += 1;
        outcome.removed += removed.length;
        await note(made.name, by, to, keysTo);
        return false;
      } catch (error) {
        const isKilled = error instanceof Killed || (error as Error).cause instanceof Killed;
        if (isKilled || error instanceof NotRotated) {
          outcome[isKilled ? "killed" : "unrotated"] += 1;
          await noteUnreported(by, to, keysTo);
        } else if (error instanceof Refusal || (error as Error).name === "WrongMasterKey") {
          outcome.refused += 1;
          return true;
        } else throw error;
        return false;
      }
    })();
    if (fault === "clock set back") now += 6 * DAY_MS;
    sick.state = "well";
    if (REFUSED.has(fault) && wasUsed && (!newPlace || /^(one|swapped|wrong)/.test(fault))) {
      expect(wasRefused, `${fault} was not refused`).toBe(true);
      expect(await contentsOf(all), `${fault} changed something`).toEqual(before);
      outcome.seen.add(fault);
    }
    await expectNoLoneKeys(to, keysTo, before[all.indexOf(keysTo)]);
    if (fault === "no evidence") expect(wasRefused, "a backup without evidence").toBe(true);
  }

  async function note(name: string, of: Registry, to: TestDisk, keysTo: TestDisk): Promise<void> {
    const [inData, inKeys] = (await contentsOf([to, keysTo])).map((each) => each.get(name));
    expect([typeof inData, typeof inKeys], `${name} is not there`).toEqual(["string", "string"]);
    const contents = [inData as string, inKeys as string] as const;
    good.push({ name, of, data: to, keys: keysTo, contents });
  }

  /** Keys are removed only after their archive, wherever a run ends. */
  async function expectNoLoneKeys(
    to: TestDisk,
    keysTo: TestDisk,
    before: ReadonlyMap<string, string> | undefined,
  ): Promise<void> {
    const [inData, inKeys] = await contentsOf([to, keysTo]);
    for (const name of before?.keys() ?? [])
      if (!inKeys?.has(name))
        expect(inData?.has(name), `${name} lost its keys, and not its archive`).toBe(false);
  }

  /** A process killed after completing its backup has made one. */
  async function noteUnreported(of: Registry, to: TestDisk, keysTo: TestDisk): Promise<void> {
    const [inData, inKeys] = await contentsOf([to, keysTo]);
    for (const name of inData?.keys() ?? []) {
      const isKnown = good.some((each) => each.name === name);
      if (name === "marker" || isKnown || !inKeys?.has(name)) continue;
      const places = { data: to.place, keys: keysTo.place };
      await verifyBackup({ data: name, keys: name }, places, of.registry.masterKeys());
      await note(name, of, to, keysTo);
    }
  }

  /** Backups followed by fewer than {@link DAYS} later days of the same registry in the same places. */
  function young(): Good[] {
    return good.filter((each) => {
      const later = good.filter(
        ({ name, of, data, keys }) =>
          of === each.of &&
          data === each.data &&
          keys === each.keys &&
          (dayOf(name) ?? "") > (dayOf(each.name) ?? ""),
      );
      return new Set(later.map(({ name }) => dayOf(name))).size < DAYS;
    });
  }

  /** Backups on a lost disk are no longer expected. */
  function forget(disk: TestDisk): void {
    for (let at = good.length - 1; at >= 0; at -= 1)
      if (good[at]?.data === disk || good[at]?.keys === disk) good.splice(at, 1);
  }

  const told: string[] = [];
  for (let left = random.between(10, 25); left > 0; left -= 1) {
    now += pick([0, 1, 5, 11, 24, 24, 24, 30]) * HOUR_MS + random.between(1, 59_000);
    const happens = random.between(1, 30);
    const fault = pick(FAULTS);
    const newPlace = random.between(1, 5) === 1;
    told.push(`${happens <= 5 ? happens : ""} ${fault}${newPlace ? " --new-place" : ""}`);
    if (happens === 1) await own.registry.rotateKey();
    else if (happens <= 3) {
      const disk = pick([data, keys]);
      await disk.wipe(happens === 2);
      forget(disk);
    } else if (happens === 4) data = await setting.newDisk();
    else if (happens === 5) keys = await setting.newDisk();
    await own.registry.grow();
    await runWith(fault, newPlace || happens === 4 || happens === 5);
    for (const { name, ...each } of young()) {
      const [inData, inKeys] = await contentsOf([each.data, each.keys]);
      const found = [inData?.get(name), inKeys?.get(name)];
      expect(found, `${name} was lost:\n${told.join("\n")}`).toEqual(each.contents);
    }
  }
  const left = young().map(({ name, of, ...each }) => ({
    name,
    places: { data: each.data.place, keys: each.keys.place },
    masterKeys: of.registry.masterKeys(),
    isFirst: of === own,
  }));
  for (const { name, places, masterKeys } of left)
    await verifyBackup({ data: name, keys: name }, places, masterKeys);
  return { ...outcome, young: left };
}

/** Simulates a process that dies at a step: nothing it does after that has an effect. */
function stepsOf(last: number | undefined): Step {
  let steps = 0;
  return async () => {
    steps += 1;
    if (last !== undefined && steps >= last) throw new Killed("killed");
  };
}

function contentsOf(disks: readonly TestDisk[]): Promise<ReadonlyMap<string, string>[]> {
  return Promise.all(disks.map((disk) => disk.contents()));
}
