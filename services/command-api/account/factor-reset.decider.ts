import { DomainError } from "#contracts/domain-error.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { FactorResetRequest } from "#contracts/events/user/account-state.ts";
import { given } from "#contracts/given.ts";
import type { Moment } from "../kernel/command.ts";
import type { TwoFactorCommand } from "./account.commands.ts";
import { accountNotFound, inForce } from "./two-factor.decider.ts";

type Of<T extends TwoFactorCommand["type"]> = Extract<TwoFactorCommand, { type: T }>;

/** How long admins can object before a request takes effect by itself. */
const OBJECTION_MS = 24 * 3_600_000;

/** An admin asks to switch another admin's second factor off. */
export function requestReset(
  state: AccountState | undefined,
  { requestId: request_id, by, ownerId, told, reason }: Of<"RequestTwoFactorReset">,
  { now }: Moment,
): UserEvent[] {
  if (by === ownerId)
    throw new DomainError(
      "forbidden",
      "Nobody resets their own second factor: switch it off in the account settings.",
    );
  if (!state?.profile || state.closed) throw accountNotFound();
  const { factorId: factor_id } = inForce(state);
  if (isOpen(state.factorReset, now))
    throw new DomainError(
      "conflict",
      "Somebody has asked for this already: another admin confirms it, or objects.",
    );
  const effective_at = new Date(Date.parse(now) + OBJECTION_MS).toISOString();
  const data = { request_id, factor_id, requested_by: by, effective_at, ...named(told) };
  return [{ type: "TwoFactorResetRequested", data: { ...data, account: { reason } } }];
}

/** Any admin objects: the owner, and whoever asked, as well. */
export function objectToReset(
  state: AccountState | undefined,
  { requestId, by: objected_by, told }: Of<"ObjectToTwoFactorReset">,
  { now }: Moment,
): UserEvent[] {
  const { requestId: request_id } = openRequest(state, requestId, now);
  return [{ type: "TwoFactorResetObjected", data: { request_id, objected_by, ...named(told) } }];
}

/**
 * A second admin confirms it: one who was an admin when it was made, with a second factor from before.
 * Whoever asked could otherwise confirm it with an account that they made an admin for that.
 */
export function confirmReset(
  state: AccountState | undefined,
  { requestId, by, isProtected, admins, told }: Of<"ConfirmTwoFactorReset">,
  { now }: Moment,
): UserEvent[] {
  const request = openRequest(state, requestId, now);
  if (by === request.requestedBy || !request.told.includes(by))
    throw new DomainError(
      "forbidden",
      "Another admin confirms this: not who asked for it, not its owner, and nobody who became an admin since.",
    );
  if (!isProtected)
    throw new DomainError(
      "forbidden",
      "To confirm this, your own account needs two-factor sign-in from before the request was made.",
    );
  // Whoever asked is no admin any more: what they asked for is void.
  if (!admins.includes(request.requestedBy)) throw noRequest();
  return reset(state, told);
}

/** Nobody objected in time. Void if whoever asked is no admin any more. */
export function completeReset(
  state: AccountState | undefined,
  { admins, told }: Of<"CompleteTwoFactorReset">,
  { now }: Moment,
): UserEvent[] {
  const { factorReset } = state ?? {};
  if (!factorReset || factorReset.effectiveAt > now) return [];
  if (!state?.profile || state.closed || !admins.includes(factorReset.requestedBy)) return [];
  return reset(state, told);
}

function reset(state: AccountState | undefined, told: readonly string[]): UserEvent[] {
  if (!state) throw noRequest();
  const { factorId: factor_id } = inForce(state);
  return [
    { type: "TwoFactorReset", data: { factor_id, ...named(told) } },
    { type: "SessionsEnded", data: { cause: "two_factor_changed" } },
  ];
}

function openRequest(
  state: AccountState | undefined,
  requestId: string,
  now: string,
): FactorResetRequest {
  const { factorReset } = state ?? {};
  if (!state?.profile || state.closed || factorReset?.requestId !== requestId) throw noRequest();
  if (!isOpen(factorReset, now)) throw noRequest();
  return factorReset;
}

const isOpen = (request: FactorResetRequest | undefined, now: string) =>
  request !== undefined && request.effectiveAt > now;

const named = (told: readonly string[]) => given({ told: told.length > 0 ? [...told] : undefined });

function noRequest(): DomainError {
  return new DomainError(
    "not_found",
    "This request is over: somebody objected, or it took effect.",
  );
}
