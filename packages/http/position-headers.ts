import type { LiveKey } from "#vault/keys/key-store.ts";
import { openBytes, SealBroken, sealBytes } from "#vault/sealing/box.ts";

/** A position in the log. Commands return it in `X-Position`; reads require it with `X-Min-Position`. */
export interface LogPosition {
  /** ID of the last event in the stream `log` that starts an epoch. A new epoch means a restored log. */
  readonly epoch: string;
  /** Position from the event store. Within an epoch, positions sort as text. */
  readonly position: string;
}

/** Encrypts and decrypts positions for headers. */
export interface SealedPositions {
  seal(position: LogPosition): string;
  /** @returns undefined for anything that was not sealed here, or was sealed too long ago. */
  open(header: string | string[] | undefined): LogPosition | undefined;
}

/** Longest header that is read; a sealed position has about 120 characters. */
const LONGEST = 300;
const PURPOSE = Buffer.from("x-position");
/** Positions are padded to one length, because their length would reveal how many events there are. */
const FILLED = 64;

/**
 * Encrypts positions with a random nonce, so that no one can read or compare them. The log's
 * positions have no gaps: in plain text they would reveal how much happens, and whether a command
 * with a deliberately neutral reply appended something.
 * @param key the service key `positions`.
 */
export function sealedPositions(key: LiveKey): SealedPositions {
  return {
    seal: ({ epoch, position }) =>
      sealBytes(key.current(), Buffer.from(`${epoch}:${position.padEnd(FILLED)}`), PURPOSE),
    open(header) {
      if (typeof header !== "string" || header.length > LONGEST) return undefined;
      for (const each of key.all().toReversed()) {
        const [, epoch, position] = /^(.*?):(.*?) *$/.exec(opened(each, header) ?? "") ?? [];
        if (epoch && position) return { epoch, position };
      }
      return undefined;
    },
  };
}

function opened(key: Buffer, box: string): string | undefined {
  try {
    return openBytes(key, box, PURPOSE).toString();
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
