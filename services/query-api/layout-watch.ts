import type pg from "pg";
import { DatabaseError } from "pg";
import type { CheckResult } from "#http/health.ts";
import { otherLayouts } from "#read-model/install.ts";

/** The tables are of another version than this process. It recovers by itself when they match. */
export class OtherLayout extends Error {
  override readonly name = "OtherLayout";
}

/** SQLSTATEs of a statement that names a missing table or column. */
const NOT_THERE = new Set(["42P01", "42703"]);

/** Milliseconds between two checks by requests while the layouts are known to differ. */
const LOOK_MS = 250;

/**
 * Rejects reads while the tables are of another version. A projector of another version may swap
 * its tables in at any time. A health check notices that, and so does the first statement that
 * fails.
 */
export class LayoutWatch {
  readonly #pool: Pick<pg.Pool, "query">;
  #differs: string | undefined;
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(pool: Pick<pg.Pool, "query">) {
    this.#pool = pool;
  }

  /** For `/readyz`. */
  async check(): Promise<CheckResult> {
    await this.look();
    if (this.#differs === undefined) return { ok: true };
    return { ok: false, detail: { cause: this.#differs } };
  }

  /** Compares the layouts now. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** @throws {OtherLayout} while the tables are known to be of another version. */
  async assertSame(): Promise<void> {
    if (this.#differs === undefined) return;
    if (performance.now() - this.#lookedAt >= LOOK_MS) await this.look();
    if (this.#differs !== undefined) throw new OtherLayout(this.#differs);
  }

  /**
   * Returns {@link OtherLayout} when the tables' version explains the error, else the error itself.
   */
  async explain<E extends Error>(error: E): Promise<E | OtherLayout> {
    if (!(error instanceof DatabaseError && NOT_THERE.has(error.code ?? ""))) return error;
    await this.look();
    return this.#differs === undefined ? error : new OtherLayout(this.#differs, { cause: error });
  }

  async #look(): Promise<void> {
    const found = await otherLayouts(this.#pool);
    this.#lookedAt = performance.now();
    this.#differs =
      found.length === 0
        ? undefined
        : `the tables are of another version (${found.join(", ")}): a projector of this version rebuilds them`;
  }
}
