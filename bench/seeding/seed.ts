import { chainEvents, GENESIS_HASH } from "#event-store/chain.ts";
import type { ProjectorStores } from "#services/projector/composition.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { createBlindIndexer } from "#vault/sealing/blind-index.ts";
import { type Act, history } from "./history.ts";
import { PreparedKeys } from "./prepared-keys.ts";
import { Random } from "./random.ts";

/** Acts whose keys are made together. */
const CHUNK = 2000;
/** Most appends in flight. */
const CONCURRENCY = 400;

/** Network addresses and browsers of actors. */
const AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/**
 * Fills an empty log as the command side would: parts sealed by the codec under their own keys,
 * streams chained, keys of deleted reports destroyed. Each act is one append.
 * @returns how many events were appended.
 */
export async function seed(
  { store, keys }: Pick<ProjectorStores, "store" | "keys">,
  options: { readonly events: number; readonly seed: number },
): Promise<number> {
  const prepared = new PreparedKeys(keys);
  const writer = new EventWriter(store, prepared);
  await writer.startLog();
  const [blindKey, slugKey] = (await Promise.all(
    (["blind-index", "slugs"] as const).map((name) => keys.serviceKey(name)),
  )) as [Buffer, Buffer];
  const random = new Random(options.seed);
  const acts = history({
    random,
    events: options.events - 1,
    blind: createBlindIndexer(blindKey),
    slugKey,
  });
  const appender = new Appender(store, writer, random);
  let written = 1;
  for (const chunk of chunksOf(acts, CHUNK)) {
    await prepared.prepare(chunk.flatMap(({ needs }) => needs));
    for (const act of chunk) {
      written += act.events.length;
      await appender.add(act);
    }
    await appender.settled();
    const gone = chunk.flatMap(({ destroys }) => destroys);
    await keys.destroy(gone, new Date().toISOString());
    prepared.forget(gone);
  }
  return written;
}

function* chunksOf<T>(items: Iterable<T>, size: number): Generator<T[], void, undefined> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

interface Tip {
  readonly revision: number;
  readonly hash: string;
}

/** Runs many appends at once, but those to the same stream one after the other. */
class Appender {
  readonly #store: ProjectorStores["store"];
  readonly #writer: EventWriter;
  readonly #random: Random;
  readonly #tips = new Map<string, Promise<Tip>>();
  readonly #running = new Set<Promise<Tip>>();

  constructor(store: ProjectorStores["store"], writer: EventWriter, random: Random) {
    this.#store = store;
    this.#writer = writer;
    this.#random = random;
  }

  /** Resolves when there is room for the next one. */
  async add(act: Act): Promise<void> {
    const appended = this.#append(act, this.#tips.get(act.stream));
    this.#tips.set(act.stream, appended);
    this.#running.add(appended);
    appended.then(
      () => this.#running.delete(appended),
      () => undefined,
    );
    if (this.#running.size >= CONCURRENCY) await Promise.race(this.#running);
  }

  /** @throws the error of an append that failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #append({ stream, events, actor, time }: Act, before?: Promise<Tip>): Promise<Tip> {
    const ip = `203.0.113.${this.#random.integer(1, 254)}`;
    const tip = await before;
    const client = actor.role === "system" ? {} : { client: { ip, user_agent: AGENT } };
    const batch = await this.#writer.seal(stream, events, { actor, time, ...client });
    const first = (tip?.revision ?? -1) + 1;
    const chained = chainEvents(stream, first, tip?.hash ?? GENESIS_HASH, batch);
    const { revision } = await this.#store.append(stream, chained, tip?.revision ?? "no_stream");
    return { revision, hash: chained.at(-1)?.metadata.hash as string };
  }
}
