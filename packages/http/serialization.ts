import type { FastifySerializerCompiler } from "fastify/types/schema.js";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { Value } from "typebox/value";

/** A reply doesn't match its schema. This is a bug, and none of the reply was sent. */
export class InvalidReply extends Error {
  override readonly name = "InvalidReply";
}

/** Sends only what the schema declares. A reply with a missing property or a wrong type is not sent. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema, method, url }) => {
  const place = `${method} ${url}`;
  refuseOpenObjects(schema, place, "");
  let validator: Validator | undefined;
  return (value: unknown) => {
    validator ??= Compile(schema);
    if (validator.Check(value)) return JSON.stringify(value);
    const cleaned = Value.Clean(schema, structuredClone(value));
    if (validator.Check(cleaned)) return JSON.stringify(cleaned);
    const errors = validator.Errors(cleaned);
    const places = errors.map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
    throw new InvalidReply(`the reply of ${place} does not fit: ${places.join("; ")}`);
  };
};

/** Rejects object schemas that allow undeclared properties, which would leak. */
function refuseOpenObjects(schema: unknown, place: string, path: string): void {
  if (typeof schema !== "object" || schema === null) return;
  const node = schema as Record<string, unknown>;
  const isOpen = node.properties !== undefined && node.additionalProperties !== false;
  if (node.type === "object" && isOpen)
    throw new TypeError(
      `the reply schema of ${place} allows undeclared properties at ${path || "/"}: declare it strict`,
    );
  for (const [key, child] of Object.entries(node))
    if (typeof child === "object") refuseOpenObjects(child, place, `${path}/${key}`);
}
