import {
  type AppendResult,
  type ExpectedRevision,
  formatPosition,
  InvalidBatch,
  type Position,
  RevisionConflict,
  StoreUnavailable,
} from "../port.ts";
import { type Connections, isRefusal } from "./pages.ts";

/** Maximum batches and bytes in one commit. A single batch may have any size. */
const GROUP_BATCHES = 200;
const GROUP_BYTES = 4 * 1_048_576;

/** Maximum bytes and batches that may wait before new appends are refused. */
const WAITING_BYTES = 64 * 1_048_576;
const WAITING_BATCHES = 5_000;

/** SQLSTATE classes of values that PostgreSQL cannot store: data exception, program limit. */
const UNSTORABLE = /^(22|54)/;

interface Waiting {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly json: string;
  readonly bytes: number;
  readonly settle: PromiseWithResolvers<AppendResult>;
  timer?: NodeJS.Timeout;
}

interface AppendQueueOptions {
  readonly timeoutMs: number;
  readonly onStored: (head: Position) => void;
}

interface OutcomeRow {
  readonly outcome: "stored" | "repeated" | "conflict" | "mixed";
  readonly revision: number;
  readonly position: string;
}

/** Group commit: appends that wait while a group is in flight share one lock and commit, each with its outcome. */
export class AppendQueue {
  readonly #connections: Connections;
  readonly #options: AppendQueueOptions;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #pump: Promise<void> | undefined;

  constructor(connections: Connections, options: AppendQueueOptions) {
    this.#connections = connections;
    this.#options = options;
  }

  /**
   * @param json the checked events. @param bytes their size. @throws {RevisionConflict} {InvalidBatch}
   * {StoreUnavailable}
   */
  add(
    stream: string,
    expected: ExpectedRevision,
    json: string,
    bytes: number,
  ): Promise<AppendResult> {
    if (this.#waitingBytes + bytes > WAITING_BYTES || this.#waiting.length >= WAITING_BATCHES)
      throw new StoreUnavailable("too many appends are waiting for the event log");
    const item: Waiting = {
      stream,
      expected,
      json,
      bytes,
      settle: Promise.withResolvers<AppendResult>(),
    };
    item.timer = setTimeout(() => this.#giveUp(item), this.#options.timeoutMs);
    this.#waiting.push(item);
    this.#waitingBytes += bytes;
    this.#pump ??= this.#run();
    return item.settle.promise.finally(() => clearTimeout(item.timer));
  }

  async drain(): Promise<void> {
    await this.#pump;
  }

  #giveUp(item: Waiting): void {
    if (this.#waiting.includes(item)) {
      this.#waiting = this.#waiting.filter((other) => other !== item);
      this.#waitingBytes -= item.bytes;
    }
    item.settle.reject(
      new StoreUnavailable(`the append was not acknowledged within ${this.#options.timeoutMs} ms`),
    );
  }

  async #run(): Promise<void> {
    // Appends made in the same turn of the event loop share a commit.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#send(this.#takeGroup());
    this.#pump = undefined;
  }

  #takeGroup(): Waiting[] {
    let count = 0;
    let bytes = 0;
    for (const item of this.#waiting) {
      if (count === GROUP_BATCHES || (count > 0 && bytes + item.bytes > GROUP_BYTES)) break;
      count += 1;
      bytes += item.bytes;
    }
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, count);
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    try {
      const rows = await this.#connections.query<OutcomeRow>(
        "select outcome, revision, position::text as position from event_log.append($1)",
        [`[${group.map(asJson).join(",")}]`],
      );
      for (const [index, item] of group.entries()) settle(item, rows[index]);
      const head = rows.findLast(({ outcome }) => outcome === "stored")?.position;
      if (head) this.#options.onStored(formatPosition(head));
    } catch (error) {
      if (isRefusal(error) && group.length > 1) {
        // None of the group was stored; one of its batches is at fault.
        for (const item of group) await this.#send([item]);
        return;
      }
      const reason = isRefusal(error) && UNSTORABLE.test(error.code ?? "") ? unstorable() : error;
      for (const item of group) item.settle.reject(reason);
    }
  }
}

function asJson({ stream, expected, json }: Waiting): string {
  const revision = expected === "no_stream" ? -1 : expected;
  return `{"stream":${JSON.stringify(stream)},"expected":${revision},"events":${json}}`;
}

function settle(item: Waiting, row: OutcomeRow | undefined): void {
  const { resolve, reject } = item.settle;
  switch (row?.outcome) {
    case "stored":
    case "repeated":
      resolve({ revision: row.revision, position: formatPosition(row.position) });
      break;
    case "conflict":
      reject(new RevisionConflict(item.stream, row.revision < 0 ? "no_stream" : row.revision));
      break;
    case "mixed":
      reject(
        new InvalidBatch(
          "some events of the batch are already stored, in another place or in part",
        ),
      );
      break;
    default:
      reject(new StoreUnavailable("the event log gave no outcome"));
  }
}

/** Omits the server's message, which may quote the value. */
function unstorable(): InvalidBatch {
  return new InvalidBatch("the database cannot store a value of the batch");
}
