import { type Static, Type } from "typebox";
import { Instant } from "./instant.ts";

/** A one-time link that was asked for. The token itself is made by the mailer, and stored nowhere. */
export const OneTimeLink = Type.Object(
  { link_id: Type.String({ format: "uuid" }), expires_at: Instant },
  { additionalProperties: false },
);
export type OneTimeLink = Static<typeof OneTimeLink>;

/** As version 1 of the reports' events stored it, under the name `verification`. */
export const FormerLink = Type.Object(
  {
    link_id: Type.String({ format: "uuid" }),
    expires_at: Type.String({ minLength: 24, maxLength: 24 }),
  },
  { additionalProperties: false },
);
