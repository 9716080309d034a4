import type { FastifyInstance } from "fastify";
import { boundsOf } from "./bounds.ts";
import { DomainError, messages } from "./errors.ts";
import { holdsMoreThan } from "./json-size.ts";
import { tooManyValues } from "./text-check.ts";
import { invalidRequest } from "./validation.ts";

/**
 * JSON is the only body there is. An empty one counts as absent, whatever its Content-Type says:
 * clients send the header with every request.
 */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") return done(null, undefined);
    // Parsing a body of nothing but brackets takes longer than all that follows.
    const { values } = boundsOf(request.is404 ? {} : request.routeOptions.config);
    if (holdsMoreThan(values, body as string))
      return done(invalidRequest({ body: tooManyValues(values) }), undefined);
    return parse(request, body as string, (error, value) => {
      if (error) return done(new DomainError("invalid_json", messages.invalid_json), undefined);
      if (value === null) {
        const message = "The request body must be an object.";
        return done(new DomainError("invalid_request", message, { body: message }), undefined);
      }
      return done(null, value);
    });
  });
}
