import { streams } from "#contracts/events/index.ts";
import type { Position } from "#event-store/port.ts";
import type { CommandHandler } from "../kernel/handler.ts";

/** The time in which an account had an address that an undo took from it again. */
export interface UndoneChange {
  /** Position of `EmailChanged`. */
  readonly from: Position;
  /** Position of `EmailChangeUndone`. */
  readonly to: Position;
}

/** The changes of address of an account that were undone. */
export async function undoneChanges(
  handler: Pick<CommandHandler, "stored">,
  accountId: string,
): Promise<readonly UndoneChange[]> {
  const changed = new Map<string, Position>();
  const undone: UndoneChange[] = [];
  for await (const { type, data, position: to } of handler.stored({
    stream: streams.user(accountId),
  })) {
    if (type === "EmailChanged") changed.set((data.undo_link as { link_id: string }).link_id, to);
    const from = type === "EmailChangeUndone" ? changed.get(String(data.link_id)) : undefined;
    if (from !== undefined) undone.push({ from, to });
  }
  return undone;
}
