import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { given } from "#contracts/given.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { oneLine } from "#mail-templates/layout.ts";
import type { LeasedMail } from "./leases.ts";
import { ownerOf } from "./report-owner.ts";
import type { OutgoingMail } from "./transports/transport.ts";

type Deps = Parameters<typeof ownerOf>[2];
/** The report that a mail quotes: it is kept and removed as one of its mails. */
type ReportSource = Pick<OutgoingMail, "ownerId" | "revision">;
type Dropped = { readonly drop: "deleted" | "erased" | "superseded" };

/**
 * Looks once more whether a mail about a further report may be sent: both reports are public, and only the
 * account's own is its own. Otherwise the mail would confirm what a stranger guessed.
 * @returns the title that the account gave its own report, and the last revision of that report.
 */
export async function readFurther(
  { ownerId, reports }: LeasedMail,
  deps: Deps,
): Promise<{ readonly title: string; readonly from: ReportSource } | Dropped> {
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
  return {
    title: oneLine(own.state?.personal?.title ?? ""),
    from: { ownerId: reports.own, ...given({ revision: own.revision }) },
  };
}

interface Loaded {
  readonly first: StoredEvent | undefined;
  readonly revision: number | undefined;
  readonly state: ReportState | undefined;
}

async function load(id: string, { store, keys, codec }: Deps): Promise<Loaded> {
  const events: StoredEvent[] = [];
  for await (const event of store.readStream(streams.report(id))) events.push(event);
  const found = await keys.get(codec.subjectsOf(events));
  let state: ReportState | undefined;
  for (const event of events)
    state = evolveReport(state, codec.openEvent(event, found) as ReportEvent);
  return { first: events[0], revision: events.at(-1)?.revision, state };
}
