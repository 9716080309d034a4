import { errorCode, Refusal } from "#runtime/lifecycle/refusal.ts";

/** SQLSTATEs for a table, or a schema, that is not there. */
const ABSENT = new Set(["42P01", "3F000"]);

/**
 * What is read of a store.
 * @param variable that names it.
 * @throws {Refusal} the store has no tables of a registry.
 */
export async function orNoRegistry<T>(read: Promise<T>, variable: string): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const { cause } = error as Error;
    if (![error, cause].some((each) => ABSENT.has(errorCode(each) ?? ""))) throw error;
    throw new Refusal(
      `${variable} holds no registry of this version: correct it, or start the registry once. No backup was made.`,
      { cause: error },
    );
  }
}
