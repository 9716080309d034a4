import { EXPORT_LIST, type ExportFormat } from "#contracts/http/list-exports.ts";
import type { CountedList, ListExportSeals } from "#vault/links/list-export.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { listExport } from "./access.aggregate.ts";

/** How long a ticket may be used. */
const TICKET_MS = 60_000;

/** Records exports of lists, each before its first row leaves. */
export class ListExports {
  readonly #handler: CommandHandler;
  readonly #seals: Pick<ListExportSeals, "sealTicket">;

  constructor(deps: {
    readonly handler: CommandHandler;
    readonly seals: Pick<ListExportSeals, "sealTicket">;
  }) {
    this.#handler = deps.handler;
    this.#seals = deps.seals;
  }

  /**
   * @param counted the caller's own, and not expired.
   * @returns a ticket that ends with the count at the latest: a request that is sent again under its
   *   Idempotency-Key gives no rows of another time.
   */
  async start(counted: CountedList, format: ExportFormat, envelope: CommandEnvelope) {
    const { accountId, list, filter, rows, expiresAt } = counted;
    const exportId = aggregateIdOf(envelope.id);
    const command = { type: EXPORT_LIST.type, list, format, rows, filter } as const;
    const { position } = await this.#handler.execute(
      listExport(exportId, accountId),
      command,
      envelope,
      { creates: true },
    );
    const until = Math.min(Date.parse(envelope.caller.now) + TICKET_MS, Date.parse(expiresAt));
    const ticket = this.#seals.sealTicket({
      ...counted,
      exportId,
      format,
      expiresAt: new Date(until).toISOString(),
    });
    return { id: exportId, rows, ticket, position };
  }
}
