import type { FastifyInstance } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { boundsOf } from "./bounds.ts";
import { messages } from "./errors.ts";
import { findExcess } from "./json-size.ts";
import { nameTooLong, tooManyValues } from "./text-check.ts";
import { invalidRequest } from "./validation.ts";

/**
 * JSON is the only kind of body. An empty one counts as absent, whatever its Content-Type says,
 * because clients send that header with every request.
 */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    // Checked first: parsing a body of nothing but brackets, or of one long name, is what costs
    // most.
    const { values } = boundsOf(request.is404 ? {} : request.routeOptions.config);
    const excess = findExcess(values, body as Buffer);
    if (excess) {
      const problem = excess === "values" ? tooManyValues(values) : nameTooLong;
      return done(invalidRequest({ body: problem }), undefined);
    }
    return parse(request, body.toString("utf8"), (error, value) => {
      if (error) return done(new DomainError("invalid_json", messages.invalid_json), undefined);
      if (value === null) {
        const message = "The request body must be an object.";
        return done(new DomainError("invalid_request", message, { body: message }), undefined);
      }
      return done(null, value);
    });
  });
}
