import type { TSchema } from "typebox";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { CallerRole } from "#http/actor.ts";
import type { RouteBounds } from "#http/bounds.ts";
import type { ReadYourWrites } from "./freshness/read-your-writes.ts";

type PreHandler = ReturnType<ReadYourWrites["waitFor"]>;

interface Input {
  readonly querystring?: TSchema;
  readonly params?: TSchema;
}

interface Read<R extends TSchema> {
  readonly summary: string;
  /** Schema of the reply with status 200. */
  readonly reply: R;
  readonly preHandler?: PreHandler;
  readonly bounds?: RouteBounds;
}

/** Returns the options of an area's read routes. @param tag in the API docs. @param wait default `preHandler`. */
export function reads(roles: readonly CallerRole[], tag: string, wait?: PreHandler) {
  return <I extends Input, R extends TSchema>({
    summary,
    reply,
    preHandler = wait,
    bounds,
    ...input
  }: I & Read<R>) => ({
    config: { roles, limit: "read", ...omitUndefined({ bounds }) } as const,
    schema: {
      tags: [tag],
      summary,
      ...(input as unknown as Pick<I, keyof Input & keyof I>),
      response: { 200: reply },
    },
    ...omitUndefined({ preHandler }),
  });
}
