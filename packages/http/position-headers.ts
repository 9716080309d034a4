import type { LiveKey } from "#vault/keys/key-store.ts";
import { openBytes, SealBroken, sealBytes } from "#vault/sealing/box.ts";

/** A position in the log: of a command, in `X-Position` of its reply; wanted by a read, in `X-Min-Position`. */
export interface LogPosition {
  /** Id of the last event in the stream `log` that starts an epoch. Another epoch means a restored log. */
  readonly epoch: string;
  /** Position from the event store. Within an epoch, positions sort as text. */
  readonly position: string;
}

/** Writes and reads positions in headers. */
export interface SealedPositions {
  seal(position: LogPosition): string;
  /** @returns undefined for anything that was not sealed here, or was sealed too long ago. */
  open(header: string | string[] | undefined): LogPosition | undefined;
}

/** Longest header that is read; a sealed position has some 120 characters. */
const LONGEST = 300;
const PURPOSE = Buffer.from("x-position");
/** Positions are padded to one length, since their own would tell how many events there are. */
const FILLED = 64;

/**
 * Positions of the log have no gaps. In the clear they would tell everyone how much happens, and
 * whether a command whose reply must not tell appended something. Because they are sealed with a
 * random nonce, no one can read them or compare two.
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
