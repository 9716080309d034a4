import { Type } from "typebox";

const TO_THE_SECOND =
  "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d";

/** A timestamp in an event: RFC 3339, UTC, with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Instant = Type.String({ pattern: `${TO_THE_SECOND}\\.\\d{3}Z$` });

/** A timestamp in a request. Milliseconds are optional. */
export const GivenInstant = Type.String({ pattern: `${TO_THE_SECOND}(\\.\\d{3})?Z$` });
