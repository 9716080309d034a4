import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";
import { Total } from "./report-view.ts";

/** What the registry holds now, over approved reports. */
export const RegistryFigures = strict({
  reports: Type.Integer(),
  /** Different persons, as far as the reports show that they are. */
  people: Type.Integer(),
  /** What was reported as due, by currency; sums of two currencies are never added. */
  totals: Type.Array(Total),
  /** When the newest report was submitted, RFC 3339; null while there is none. */
  newest_at: Type.Union([Type.String(), Type.Null()]),
});
export type RegistryFigures = Static<typeof RegistryFigures>;

/** GET /prod/api/figures: at most a minute old. */
export const FiguresReply = reply(RegistryFigures);
