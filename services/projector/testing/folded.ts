import type { ReportEvent } from "#contracts/events/index.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import type { OpenedEvent } from "../daemon/projection.ts";
import type { EventType, ReadModel } from "../keyed/read-model.ts";
import { type Changes, foldRows, happenedIn, type Step } from "../keyed/tallies.ts";
import { OpenedLog } from "./opened.ts";

/** The report in tests of folds. */
export const ID = "11111111-1111-4111-8111-111111111111";

/** Folds a batch over rows in memory, as a projection does over the rows that it loads. */
export function folded<Row extends object, Type extends EventType>(
  model: ReadModel<Row, Type>,
  loaded: ReadonlyMap<string, Row>,
  events: readonly OpenedEvent[],
  keys: KeyLookups = new Map(),
  onStep?: (step: Step<Row>) => void,
): Changes<Row> {
  return foldRows(model, loaded, happenedIn(model, { events, keys }), onStep);
}

/**
 * Folds one report's events in one batch, then again one at a time. Both must give the same result.
 * @returns the result of the whole batch, the result of each event, and the final row.
 */
export function foldedBothWays<Row, Folded extends Pick<Changes<Row>, "changed" | "removed">>(
  events: readonly ReportEvent[],
  fold: (loaded: ReadonlyMap<string, Row>, events: readonly OpenedEvent[]) => Folded,
) {
  const log = new OpenedLog();
  for (const event of events) log.report(ID, event);
  const rows = new Map<string, Row>();
  const steps = log.events.map((event) => {
    const step = fold(new Map(rows), [event]);
    for (const [id, row] of step.changed) rows.set(id, row);
    for (const id of step.removed) rows.delete(id);
    return step;
  });
  return { whole: fold(new Map(), log.events), steps, row: rows.get(ID) };
}
