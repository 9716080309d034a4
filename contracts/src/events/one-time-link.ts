import { type Static, Type } from "typebox";

/** A one-time link that was asked for. The token itself is made by the mailer, and stored nowhere. */
export const OneTimeLink = Type.Object(
  {
    link_id: Type.String({ format: "uuid" }),
    /** RFC 3339, UTC, milliseconds. */
    expires_at: Type.String({ minLength: 24, maxLength: 24 }),
  },
  { additionalProperties: false },
);
export type OneTimeLink = Static<typeof OneTimeLink>;
