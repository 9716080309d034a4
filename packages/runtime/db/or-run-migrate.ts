import { CannotStart, RUN_MIGRATE } from "../lifecycle/explain-failure.ts";

/** The SQLSTATE of an error; empty when it has none. */
export function sqlStateOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? "");
}

/**
 * Wraps work that creates what a database lacks.
 * @throws {CannotStart} the role may not create it: `npm run migrate` must do it first.
 */
export async function orRunMigrate<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (sqlStateOf(error) !== "42501") throw error;
    throw new CannotStart(RUN_MIGRATE, { cause: error });
  }
}
