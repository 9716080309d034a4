import type { OneTimeLinks } from "#vault/links/one-time-link.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { signInLinkInvalid } from "./account.decider.ts";
import type { DeviceStore } from "./device.store.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly links: OneTimeLinks;
  readonly devices: DeviceStore;
}

/** Links in mails that make a browser known to an account. They sign nobody in. */
export class SignInLinks {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Requests a mail with a link for the account's owner, unless enough links are still valid. */
  async request(accountId: string, caller: Caller): Promise<void> {
    await this.#deps.handler.execute(
      accountAggregate(accountId),
      { type: "RequestDeviceConfirmation" },
      newEnvelope(caller),
    );
  }

  /**
   * Makes the browser that opened the link known. A link works once.
   * @param envelope for the account and link, so that a repeat after a lost answer gets the same
   *   answer.
   * @param brought the secrets of its cookie.
   * @returns the secrets for its cookie.
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
    if (typeof link === "string") throw signInLinkInvalid();
    const { aggregateId: accountId, linkId } = link;
    await handler.execute(
      accountAggregate(accountId),
      { type: "ConfirmDevice", linkId },
      envelope(accountId, { link_id: linkId }),
    );
    return devices.add(accountId, "link", Date.parse(caller.now), brought);
  }
}
