import type { FastifyInstance } from "fastify";

/**
 * A `fetch` that calls an app of this process. The app takes the address in `X-Forwarded-For` for
 * that of the caller, however many proxies it trusts.
 */
export function inProcessFetch(app: FastifyInstance): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const { "x-forwarded-for": caller, ...headers } = Object.fromEntries(request.headers);
    const reply = await app.inject({
      method: request.method as "POST",
      url: pathname + search,
      headers,
      payload: await request.text(),
      signal: request.signal,
      ...(caller ? { remoteAddress: caller } : {}),
    });
    const sent = new Headers();
    for (const [name, value] of Object.entries(reply.headers))
      for (const one of [value].flat()) if (one !== undefined) sent.append(name, String(one));
    return new Response(reply.body, { status: reply.statusCode, headers: sent });
  };
}
