import type { Logger } from "pino";
import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import type { CheckResult, ReadinessCheck } from "#http/health.ts";
import type { DeskFigures } from "./desk-mails.ts";
import type { LeasedMail } from "./leases.ts";
import type { OutboxStore } from "./outbox.store.ts";

/** Attempts after which a mail that is not refused counts as unsent. */
const ATTEMPTS = 3;

/** Logs that a desk gets no mails of a kind: once, until one was sent again. */
export class DeskAlarm {
  readonly #log: Logger;
  readonly #raised = new Set<MailKind>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** A mail to a desk was not sent. */
  unsent(
    { id, kind, attempts }: LeasedMail,
    how: {
      readonly errorClass: string;
      readonly isRefused: boolean;
      readonly isDropped: boolean;
    },
  ): void {
    const { errorClass, isRefused, isDropped } = how;
    if (this.#raised.has(kind) || !(isRefused || isDropped || attempts >= ATTEMPTS)) return;
    this.#raised.add(kind);
    const code = isDropped ? "desk_mail_dropped" : "desk_mail_unsent";
    this.#log.error({ code, job: id, kind, errorClass }, CAUSES[code]);
  }

  sent({ kind }: LeasedMail): void {
    this.#raised.delete(kind);
  }
}

const CAUSES = {
  desk_mail_unsent:
    "a mail to a desk of the registry is not taken: check SUPPORT_EMAIL, SALES_EMAIL and the mail server (it is tried again, and npm run inquiry -- list shows what was sent)",
  desk_mail_dropped:
    "a mail to a desk of the registry was given up: read what was sent with npm run inquiry -- list, or in the console",
} as const;

/**
 * The check `desk_mails` of `/readyz`: not ok while mails to the registry's desks are refused or fail again
 * and again, and for a day after one was given up.
 */
export function deskMailsCheck(outbox: Pick<OutboxStore, "deskFigures">): ReadinessCheck {
  return async (): Promise<CheckResult> => {
    const figures = await outbox.deskFigures();
    const code = wrongWith(figures);
    if (!code) return { ok: true, detail: { ...figures } };
    return { ok: false, detail: { ...figures, code, cause: CAUSES[code] } };
  };
}

function wrongWith({ failing, dropped }: DeskFigures): keyof typeof CAUSES | undefined {
  if (failing > 0) return "desk_mail_unsent";
  return dropped > 0 ? "desk_mail_dropped" : undefined;
}
