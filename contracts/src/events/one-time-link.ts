import { type Static, Type } from "typebox";
import { Instant } from "./instant.ts";

/** A requested one-time link. The mailer generates the token, which is never stored. */
export const OneTimeLink = Type.Object(
  { link_id: Type.String({ format: "uuid" }), expires_at: Instant },
  { additionalProperties: false },
);
export type OneTimeLink = Static<typeof OneTimeLink>;
