import { START } from "#event-store/port.ts";
import type { AccountStream, AccountStreams, StreamKind } from "./account-streams.ts";
import type { AccountPast } from "./exported-account.ts";

/** Rows that are read at a time. */
const PAGE = 100;

/**
 * The account's streams of some kinds, oldest first, without those from before a confirmation that
 * dropped everything: they may be somebody else's.
 * @param after the position of the one before; empty for all.
 */
export async function* walkStreams(
  accountStreams: Pick<AccountStreams, "of">,
  { id, since }: Pick<AccountPast, "id" | "since">,
  kinds: readonly StreamKind[],
  after: string,
): AsyncGenerator<AccountStream & { readonly kind: StreamKind }> {
  let last = after > since ? after : since;
  if (last === "") last = START;
  for (let size = PAGE; size === PAGE; ) {
    const page = await accountStreams.of(id, kinds, { after: last, limit: PAGE });
    for (const stream of page) {
      yield stream;
      last = stream.position;
    }
    size = page.length;
  }
}
