import pg from "pg";
import { isDatabaseUnavailable } from "#runtime/db/pool.ts";
import { SearchUnavailable } from "#search/port.ts";
import { KeyBroken, KeyStoreUnavailable, WrongMasterKey } from "#vault/keys/key-store.ts";
import { KeyMissing, UnknownEvent } from "#vault/sealing/event-codec.ts";
import { RebuildFailed } from "../rebuild-failed.ts";

/** Why a processor cannot continue, as a code shown by the health check. */
export type StopCode =
  | "log_not_started"
  | "epoch"
  | "beyond_head"
  | "checkpoint_missing"
  | "checkpoint_damaged"
  | "checkpoint_moved"
  | "layout"
  | "lease_lost"
  | "key_missing"
  | "newer_version"
  | "key_store"
  | "event_store"
  | "database"
  | "search_index"
  | "erase_failed"
  | "failure";

/** The processor cannot continue and its checkpoint stays. The message names the remedy. */
export class ProcessorStopped extends Error {
  override readonly name = "ProcessorStopped";
  readonly code: StopCode;
  constructor(code: StopCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The checkpoint is not where this processor left it, because a rebuild replaced it. */
export class CheckpointReplaced extends Error {
  override readonly name = "CheckpointReplaced";
}

/** SQLSTATE classes of errors caused by the data being written, and so by the event. */
const DATA_AT_FAULT = /^(21|22|23|54)/;

/** Whether the event can't be applied, rather than a store failing. Such an event is retried, then parked. */
export function isEventAtFault(error: unknown): boolean {
  if (error instanceof ProcessorStopped || error instanceof CheckpointReplaced) return false;
  if (isKeyTrouble(error) || isDatabaseUnavailable(error)) return false;
  if (error instanceof UnknownEvent) return false;
  if (error instanceof SearchUnavailable) return false;
  if (error instanceof pg.DatabaseError) return DATA_AT_FAULT.test(error.code ?? "");
  return error instanceof Error;
}

function isKeyTrouble(error: unknown): boolean {
  return (
    error instanceof KeyMissing ||
    error instanceof KeyStoreUnavailable ||
    error instanceof WrongMasterKey ||
    error instanceof KeyBroken
  );
}

/** The stop for stores that a newer version of the software uses: this one leaves them alone. */
export function newerVersion(found: string, cause?: unknown): ProcessorStopped {
  return new ProcessorStopped(
    "newer_version",
    `a newer version has written to these stores (${found}): run that version`,
    cause,
  );
}

/** Converts any error into the stop that the health check shows. */
export function toStop(error: unknown): ProcessorStopped {
  if (error instanceof ProcessorStopped) return error;
  if (error instanceof UnknownEvent) return newerVersion(error.message, error);
  if (error instanceof RebuildFailed) return new ProcessorStopped("layout", error.message, error);
  if (error instanceof KeyMissing)
    return new ProcessorStopped("key_missing", `${error.message}: restore the key store`, error);
  if (isKeyTrouble(error))
    return new ProcessorStopped("key_store", (error as Error).message, error);
  if (error instanceof Error && error.name === "StoreUnavailable")
    return new ProcessorStopped("event_store", "the event log is unreachable", error);
  if (error instanceof SearchUnavailable)
    return new ProcessorStopped(
      "search_index",
      `the search index is unavailable: ${error.message}`,
      error,
    );
  if (isDatabaseUnavailable(error))
    return new ProcessorStopped("database", "the database is unreachable", error);
  if (error instanceof pg.DatabaseError)
    return new ProcessorStopped("database", causeOf(error), error);
  return new ProcessorStopped("failure", causeOf(error), error);
}

/** Describes an error in text that may be stored, without messages that may quote personal data. */
export function causeOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) {
    const { code, table, column, constraint } = error;
    const place = [table, column, constraint].filter((part) => part !== undefined).join(" ");
    return `the database refuses the rows (SQLSTATE ${code}${place ? `, ${place}` : ""})`;
  }
  if (!(error instanceof Error)) return "not an error";
  if (error instanceof SyntaxError || error instanceof RangeError) return error.name;
  return `${error.name}: ${error.message}`.slice(0, 500);
}
