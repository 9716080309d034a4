import type { eventDefinitions, ReportEvent } from "#contracts/events/index.ts";
import { streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#kit/keys/key-store.ts";
import type { OneTimeLinks } from "#kit/links/one-time-link.ts";
import type { EventCodec } from "#kit/sealing/event-codec.ts";
import type { LeasedMail } from "./outbox.store.ts";
import { type Letterhead, layOut, type MailText, oneLine } from "./templates/layout.ts";
import { statusMail } from "./templates/status.ts";
import { verificationMail } from "./templates/verification.ts";
import type { OutgoingMail } from "./transports/transport.ts";

/** Why a mail has nobody to go to, or nothing left to say. */
export type DropReason = "deleted" | "erased" | "superseded";

interface Deps {
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly codec: EventCodec<(typeof eventDefinitions)[number]>;
  readonly links: OneTimeLinks;
  readonly publicUrl: string;
  readonly letterhead: Letterhead;
}

/** Writes mails from the log as it stands when they are sent: no address waits in a table. */
export class MailWriter {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {KeyMissing} @throws {StoreUnavailable} @throws {KeyStoreUnavailable} */
  async write(mail: LeasedMail): Promise<OutgoingMail | { readonly drop: DropReason }> {
    const { state, event } = await this.#load(mail);
    if (!state || state.status === "deleted") return { drop: "deleted" };
    const { reporter, personal } = state;
    if (!reporter || !personal || !event) return { drop: "erased" };
    const text = this.#text(mail, state, event);
    if (!text) return { drop: "superseded" };
    return {
      id: mail.id,
      reportId: mail.reportId,
      to: reporter.reporter_email,
      ...layOut(text, this.#deps.letterhead),
    };
  }

  /** Whether the report was deleted by now. */
  async isDeleted(reportId: string): Promise<boolean> {
    const last = { direction: "backwards", limit: 1 } as const;
    for await (const event of this.#deps.store.readStream(streams.report(reportId), "end", last)) {
      return event.type === "ReportDeleted";
    }
    return true;
  }

  async #load(mail: LeasedMail) {
    const { store, keys, codec } = this.#deps;
    const events: StoredEvent[] = [];
    for await (const event of store.readStream(streams.report(mail.reportId))) events.push(event);
    const found = await keys.get(codec.subjectsOf(events));
    let state: ReportState | undefined;
    let asking: ReportEvent | undefined;
    for (const event of events) {
      const opened = codec.openEvent(event, found) as ReportEvent;
      if (event.revision === mail.revision) asking = opened;
      state = evolveReport(state, opened);
    }
    return { state, event: asking };
  }

  #text(mail: LeasedMail, state: ReportState, event: ReportEvent): MailText | undefined {
    const { publicUrl, letterhead } = this.#deps;
    const about = {
      firstName: oneLine(state.reporter?.reporter_first_name ?? ""),
      title: oneLine(state.personal?.title ?? ""),
      productName: letterhead.productName,
    };
    if (event.type === "ReportSubmitted" || event.type === "ReportVerificationResent") {
      const { link_id: linkId, expires_at: expiresAt } = event.data.verification;
      // A later mail voided this link, or the address was confirmed meanwhile.
      if (state.verified || state.verification.link_id !== linkId) return undefined;
      const content = { aggregateId: mail.reportId, linkId, expiresAt };
      const token = this.#deps.links.makeToken("verify-email", content);
      return verificationMail({ ...about, url: `${publicUrl}/verify-email/${token}` });
    }
    if (mail.kind === "verification") return undefined;
    const reason = event.type === "ReportRejected" ? event.data.personal?.reason : undefined;
    return statusMail({
      ...about,
      confirmed: state.verified,
      status: mail.kind,
      searchUrl: `${publicUrl}/search`,
      ...(reason ? { reason } : {}),
    });
  }
}
