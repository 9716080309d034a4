import type { Revision } from "./port.ts";

/** Another writer was first. `current` is the stream's present revision. */
export class RevisionConflict extends Error {
  override readonly name = "RevisionConflict";
  readonly stream: string;
  readonly current: Revision | "no_stream";
  constructor(stream: string, current: Revision | "no_stream") {
    super(`stream ${stream} is at ${current}`);
    this.stream = stream;
    this.current = current;
  }
}

/** The batch can never be stored in this form, and no part of it was stored. */
export class InvalidBatch extends Error {
  override readonly name = "InvalidBatch";
}

/** The store did not answer in time or is down. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
