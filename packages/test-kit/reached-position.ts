import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

/**
 * Waits until the processors' checkpoints have reached the position.
 * @throws after the limit, with the last positions in the message.
 */
export async function reachedPosition(
  pool: pg.Pool,
  processors: readonly string[],
  position: string,
  limitMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const { rows } = await pool.query<{ processor: string; position: string }>(
      "select processor, position from processor.checkpoint where processor = any($1)",
      [processors],
    );
    const at = new Map(rows.map((row) => [row.processor, row.position]));
    if (processors.every((name) => (at.get(name) ?? "") >= position)) return;
    if (Date.now() > deadline) {
      const found = processors.map((name) => `${name} ${at.get(name) ?? "nowhere"}`).join(", ");
      throw new Error(`not at ${position} within ${limitMs} ms: ${found}`);
    }
    await delay(10);
  }
}

/** Waits until the condition holds. @throws after the limit, naming what it waited for. */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${limitMs} ms`);
    await delay(10);
  }
}
