import type { FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { Static, TSchema } from "typebox";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { withoutEmpty } from "#contracts/report/submission-rules.ts";
import type { CallerRole } from "#http/actor.ts";
import type { RouteBounds } from "#http/bounds.ts";
import type { Remark } from "#http/envelope.ts";
import type { LimitClass } from "#http/limits.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";

type Answer<R extends TSchema> = Static<R> & Pick<Remark, "position">;

/** One route of the write side: who may send what, how often, and the reply. */
export interface CommandRoute<P extends TSchema, B extends TSchema, R extends TSchema> {
  readonly roles: readonly CallerRole[];
  readonly limit: LimitClass;
  /** Whether the caller must have proved their password recently. */
  readonly proof?: true | undefined;
  /** Its tag in the OpenAPI description, if it differs from the others. */
  readonly tag?: string;
  readonly summary: string;
  readonly params?: P | undefined;
  readonly body: B;
  /** Schema of the reply with status 200. */
  readonly reply: R;
  /** Bounds that differ from those of the limit's class. */
  readonly bounds?: RouteBounds | undefined;
  /** Steps that the body goes through before it is validated. */
  readonly tidy?: readonly ((request: FastifyRequest) => Promise<void>)[] | undefined;
  run(
    request: FastifyRequest<{ Params: Static<P>; Body: Static<B> }>,
    response: FastifyReply,
  ): Answer<R> | Promise<Answer<R>>;
}

/**
 * Returns a function that adds a route and infers the types of `run` from its schemas.
 * @param area tag in the OpenAPI description.
 */
export function commandsOf(app: ServiceInstance, area: string) {
  return <P extends TSchema, B extends TSchema, R extends TSchema>(
    method: HTTPMethods,
    url: string,
    row: CommandRoute<P, B, R>,
  ): void => {
    const untyped = row as unknown as CommandRoute<TSchema, TSchema, TSchema>;
    const { roles, limit, proof, bounds, tag = area, summary, params, body, reply } = untyped;
    app.route({
      method,
      url,
      config: { roles, limit, ...omitUndefined({ proof, bounds }) },
      schema: {
        tags: [tag],
        summary,
        ...omitUndefined({ params }),
        body,
        response: { 200: reply },
      },
      preValidation: [...(row.tidy ?? [])],
      handler: async (request, response) => untyped.run(request, response),
    });
  };
}

/** For `tidy`: drops empty fields, which forms may send, and treats a reason of only spaces as missing. */
export async function dropEmpty(request: FastifyRequest): Promise<void> {
  request.body = withoutEmpty(request.body ?? {});
}

/** For `tidy`: rejects a body with the form's own messages. @param problemsOf returns them by field. */
export const checked =
  <B>(problemsOf: (body: B) => Readonly<Record<string, string>>) =>
  async ({ body }: FastifyRequest): Promise<void> => {
    const problems = problemsOf((body ?? {}) as B);
    if (Object.keys(problems).length > 0) throw invalidRequest(problems);
  };

/** For `tidy`: trims texts, so that one of only spaces counts as empty. */
export async function trimTexts(request: FastifyRequest): Promise<void> {
  const { body } = request;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return;
  const trimmed = (value: unknown) => (typeof value === "string" ? value.trim() : value);
  request.body = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, trimmed(value)]),
  );
}
