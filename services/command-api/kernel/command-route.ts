import type { FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { Static, TSchema } from "typebox";
import { given } from "#contracts/given.ts";
import type { CallerRole } from "#http/actor.ts";
import type { RouteBounds } from "#http/bounds.ts";
import type { LimitClass } from "#http/limits.ts";
import type { ServiceInstance } from "#http/service.ts";

type Answer<R extends TSchema> = Static<R> | Promise<Static<R>>;

/** One route of the write side: who may send what, how often, and what the reply is. */
export interface CommandRoute<
  P extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
> {
  readonly method: HTTPMethods;
  readonly url: string;
  readonly roles: readonly CallerRole[];
  readonly limit: LimitClass;
  /** Whether the caller must have shown the password lately. */
  readonly proof?: true;
  /** Its area in the API's description. */
  readonly tag: string;
  readonly summary: string;
  readonly params?: P;
  readonly body: B;
  /** Schema of the reply with status 200. */
  readonly reply: R;
  /** Bounds that differ from those of the limit's class. */
  readonly bounds?: RouteBounds | undefined;
  /** Steps that the body goes through before it is checked. */
  readonly tidy?: readonly ((request: FastifyRequest) => Promise<void>)[] | undefined;
  run(
    request: FastifyRequest<{ Params: Static<P>; Body: Static<B> }>,
    response: FastifyReply,
  ): Answer<R>;
}

/** A row of a table of routes. The types of `run` follow from its schemas. */
export const commandRoute = <P extends TSchema, B extends TSchema, R extends TSchema>(
  row: CommandRoute<P, B, R>,
): CommandRoute => row as CommandRoute;

/** Adds routes in the order of the rows, which is also their order in the API's description. */
export function addCommandRoutes(app: ServiceInstance, rows: readonly CommandRoute[]): void {
  for (const row of rows) {
    const {
      method,
      url,
      roles,
      limit,
      proof,
      bounds,
      tag,
      summary,
      params,
      body,
      reply,
      tidy = [],
    } = row;
    app.route({
      method,
      url,
      config: { roles, limit, ...given({ proof, bounds }) },
      schema: {
        tags: [tag],
        summary,
        ...given({ params }),
        body,
        response: { 200: reply },
      },
      preValidation: [...tidy],
      handler: async (request, response) => row.run(request, response),
    });
  }
}

/** For a row's `tidy`: a call without a body is one with `{}`. */
export async function emptyBody(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}
