import { Readable } from "node:stream";

/**
 * A stream of what `read` makes of a source, which `read` opens when the first byte is asked for.
 * Whoever destroys the stream releases the source.
 */
export function lazyStream(
  read: (open: (source: Promise<Readable>) => Promise<Readable>) => AsyncIterable<Uint8Array>,
): Readable {
  let opened: Readable | undefined;
  const derived = Readable.from(
    read(async (source) => {
      opened = await source;
      if (derived.destroyed) opened.destroy();
      return opened;
    }),
    { objectMode: false },
  );
  derived.once("close", () => opened?.destroy());
  return derived;
}

/**
 * Passes a source on, whole. Whoever destroys the stream releases the source, also before anything
 * was read.
 * @param expected its bytes; fewer are an error.
 * @param unavailable the error for a source that fails or ends early.
 */
export function wholeStream(
  source: Readable,
  expected: number,
  unavailable: (cause: unknown) => Error,
): Readable {
  async function* read(): AsyncGenerator<Uint8Array, void, void> {
    let bytes = 0;
    try {
      for await (const chunk of source as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw unavailable(error);
    }
    if (bytes !== expected) throw unavailable(new Error("it ended early"));
  }
  // `read` meets the error when it gets there; until then nobody else listens.
  source.on("error", () => undefined);
  const whole = Readable.from(read(), { objectMode: false });
  whole.once("close", () => source.destroy());
  return whole;
}
