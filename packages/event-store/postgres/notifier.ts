import { type Position, START } from "../port.ts";
import type { Connections } from "./connections.ts";
import { CHANNEL } from "./schema.ts";

/**
 * Wakes the listeners of other processes after a commit, in a separate statement: a NOTIFY inside
 * the append would make every commit of the database queue behind one lock. Appends made while a
 * notification is on its way share the next one. If one is lost, listeners find the events at their
 * next poll.
 */
export class Notifier {
  readonly #connections: Connections;
  #head: Position = START;
  #sending: Promise<void> | undefined;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Reports that the log reaches at least this far. */
  tell(head: Position): void {
    if (head > this.#head) this.#head = head;
    this.#sending ??= this.#send();
  }

  /** Resolves once everything is reported. */
  async drain(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    let told: Position = START;
    while (told < this.#head) {
      told = this.#head;
      await this.#connections
        // Losing a notification costs too little to wait for the disk.
        .query("select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)", [
          CHANNEL,
          told,
        ])
        .catch(() => undefined);
    }
    this.#sending = undefined;
  }
}
