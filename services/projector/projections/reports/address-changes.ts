import type { ReportEvent } from "#contracts/events/index.ts";
import type { OpenedEvent } from "../../daemon/projection.ts";
import { reportOf } from "../../streams.ts";
import type { AddressChange } from "./address-book.ts";

/** Keyed hash of a slug. Uses the service key `slugs`. */
export type SlugHasher = (slug: string) => string;

/**
 * The changes of addresses by the events, in order. They also apply to reports that have no row
 * because their personal data is erased.
 */
export function addressChanges(
  events: readonly OpenedEvent[],
  slugHash: SlugHasher,
): AddressChange[] {
  const changes: AddressChange[] = [];
  for (const { stored, event } of events) {
    const report_id = reportOf(stored.stream);
    const change = report_id && changeOf(event as ReportEvent, slugHash);
    if (!change) continue;
    const { position, metadata } = stored;
    changes.push({ report_id, position, at: metadata.time, ...change });
  }
  return changes;
}

function changeOf(event: ReportEvent, slugHash: SlugHasher) {
  switch (event.type) {
    case "ReportDeleted":
      return { kind: "hidden" } as const;
    case "ReportDeletionUndone":
      return { kind: "shown", is_live: event.data.to === "approved" } as const;
    case "ReportErased":
      return { kind: "retired" } as const;
    case "ReportRejected":
    case "ReportStatusSet":
    case "ReportTakenDown":
      return { kind: "withdrawn" } as const;
    case "ReportPutBack":
      if (event.data.to !== "approved") return undefined;
      return approvedAt(event.data.personal, slugHash);
    case "ReportApproved":
      return approvedAt(event.data.personal, slugHash);
    case "ReportEdited": {
      const slug = event.data.personal?.slug;
      return slug === undefined
        ? undefined
        : ({ kind: "given", slug_hash: slugHash(slug) } as const);
    }
    default:
      return undefined;
  }
}

/** @param personal the new address, if any; null once it is erased. */
function approvedAt(personal: { readonly slug: string } | null | undefined, slugHash: SlugHasher) {
  if (personal === undefined) return { kind: "approved" } as const;
  // The new address of an erased report cannot be read any more, but the former one is still
  // gone.
  if (personal === null) return { kind: "retired" } as const;
  return { kind: "approved", slug_hash: slugHash(personal.slug) } as const;
}
