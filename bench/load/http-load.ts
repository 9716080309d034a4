import autocannon from "autocannon";
import { type Load, type Rate, rateOf, warmUpSeconds } from "./rate.ts";

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
}

/** The n-th request. */
export type RequestOf = (n: number) => HttpRequest;

/**
 * Sends requests over the given number of connections, the next one as soon as one is answered.
 * Only successful requests count, so that failing fast does not look fast.
 * @throws Error if nothing succeeds.
 */
export async function httpLoad(
  url: string,
  { connections, seconds }: Load,
  requestOf: RequestOf,
  token?: string,
): Promise<Rate> {
  let n = 0;
  const next = () => {
    n += 1;
    const { method, path, body } = requestOf(n);
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
    };
    return {
      method: method as "GET",
      path,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
  };
  const run = async (duration: number) => {
    const times: number[] = [];
    let refused = 0;
    const options: autocannon.Options = {
      url,
      connections,
      duration,
      timeout: 30,
      requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
    };
    const result = await new Promise<autocannon.Result>((resolve, reject) => {
      const load = autocannon(options, (error, result) =>
        error ? reject(error) : resolve(result),
      );
      load.on("response", (_client, status, _bytes, ms) => {
        if (status < 300) times.push(ms);
        else refused += 1;
      });
    });
    const { errors, duration: took } = result;
    if (times.length === 0)
      throw new Error(`nothing succeeded: ${refused} refused, ${errors} errors`);
    return rateOf(times, took * 1000, refused + errors);
  };
  const warmUp = warmUpSeconds(seconds);
  if (warmUp > 0) await run(warmUp);
  return run(seconds);
}
