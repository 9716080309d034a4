import { randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { DeviceStore } from "./device.store.ts";

/** How long a link works. */
const LINK_MS = 24 * 3_600_000;
/** Links of an account that work at once. A stranger causes no more mails than these in a day. */
export const SIGN_IN_LINKS = 5;

interface Deps {
  readonly handler: CommandHandler;
  readonly links: OneTimeLinks;
  readonly devices: DeviceStore;
}

/** Links by mail that make a browser known to an account. They sign nobody in. */
export class SignInLinks {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Has a link mailed to the account's owner, unless enough of them work already. */
  async request(accountId: string, caller: Caller): Promise<void> {
    const { now } = caller;
    const link = {
      link_id: randomUUID(),
      expires_at: new Date(Date.parse(now) + LINK_MS).toISOString(),
    };
    await this.#deps.handler.execute(
      accountAggregate(accountId),
      { type: "RequestDeviceConfirmation" },
      newEnvelope(caller),
      (state) => {
        const working =
          state?.deviceConfirmations.filter(({ expires_at }) => expires_at > now) ?? [];
        if (!state?.profile || working.length >= SIGN_IN_LINKS) return [];
        return [{ type: "DeviceConfirmationRequested", data: { link } }];
      },
    );
  }

  /**
   * Makes the browser known that opened the link. A link works once.
   * @param envelope by account and link, so that a repeat whose answer was lost gets one too.
   * @param brought the secrets of its cookie.
   * @returns those for its cookie.
   * @throws {DomainError} `link_invalid`
   */
  async open(
    token: string,
    envelope: (accountId: string, body: { link_id: string }) => CommandEnvelope,
    caller: Caller,
    brought: readonly string[],
  ): Promise<readonly string[]> {
    const { handler, links, devices } = this.#deps;
    const link = links.readToken(token, "sign-in", caller.now);
    if (typeof link === "string") throw refusal();
    const { aggregateId: accountId, linkId: link_id } = link;
    await handler.execute(
      accountAggregate(accountId),
      { type: "ConfirmDevice" },
      envelope(accountId, { link_id }),
      (state) => {
        if (!state?.deviceConfirmations.some((known) => known.link_id === link_id)) throw refusal();
        return [{ type: "DeviceConfirmed", data: { link_id } }];
      },
    );
    return devices.add(accountId, "link", Date.parse(caller.now), brought);
  }
}

const refusal = () =>
  new DomainError(
    "link_invalid",
    "This sign-in link was used before or has expired. Sign in again to get another one.",
  );
