import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { oneLine } from "#mail-templates/layout.ts";
import type { LeasedMail } from "./leases.ts";
import { ownerOf } from "./report-owner.ts";

type Deps = Parameters<typeof ownerOf>[2];
type Dropped = { readonly drop: "deleted" | "erased" | "superseded" };

/**
 * Looks once more whether a mail about a further report may be sent: both reports are public, and only the
 * account's own is its own. Otherwise the mail would confirm what a stranger guessed.
 * @returns the title that the account gave its own report.
 */
export async function readFurther(
  { ownerId, reports }: LeasedMail,
  deps: Deps,
): Promise<{ readonly title: string } | Dropped> {
  if (!reports) return { drop: "superseded" };
  const [own, further] = [await load(reports.own, deps), await load(reports.further, deps)];
  for (const { state } of [own, further]) {
    if (!state || state.status === "deleted") return { drop: "deleted" };
    if (!state.personal) return { drop: "erased" };
    if (state.status !== "approved") return { drop: "superseded" };
  }
  const isOwners = async ({ first, state }: Loaded) =>
    first && state && (await ownerOf(first, state, deps))?.id === ownerId;
  if (!(await isOwners(own)) || (await isOwners(further))) return { drop: "superseded" };
  return { title: oneLine(own.state?.personal?.title ?? "") };
}

interface Loaded {
  readonly first: StoredEvent | undefined;
  readonly state: ReportState | undefined;
}

async function load(id: string, { store, keys, codec }: Deps): Promise<Loaded> {
  const events: StoredEvent[] = [];
  for await (const event of store.readStream(streams.report(id))) events.push(event);
  const found = await keys.get(codec.subjectsOf(events));
  let state: ReportState | undefined;
  for (const event of events)
    state = evolveReport(state, codec.openEvent(event, found) as ReportEvent);
  return { first: events[0], state };
}
