import { type Static, Type } from "typebox";
import { Instant } from "./instant.ts";

/** A one-time link that was requested. The mailer makes the token itself, and nothing stores it. */
export const OneTimeLink = Type.Object(
  { link_id: Type.String({ format: "uuid" }), expires_at: Instant },
  { additionalProperties: false },
);
export type OneTimeLink = Static<typeof OneTimeLink>;
