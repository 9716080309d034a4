import type { UserEvent } from "../index.ts";
import type { OneTimeLink } from "../one-time-link.ts";

/** What an account's history says about it. Its credentials are in `command.account`. */
export interface AccountState {
  readonly role: "user" | "admin" | "auditor";
  /** Null once the account is erased. */
  readonly profile: { first_name: string; last_name: string; email: string } | null;
  /** Whether the log says so. The key may already be destroyed before that. */
  readonly erased: boolean;
  /** Sign-in links that nobody opened, oldest first, expired ones included. */
  readonly deviceConfirmations: readonly OneTimeLink[];
}

/** The account after one more event of its stream. */
export function evolveAccount(state: AccountState | undefined, event: UserEvent): AccountState {
  if (event.type === "AccountAdded") {
    return {
      role: event.data.role,
      profile: event.data.account ?? null,
      erased: false,
      deviceConfirmations: [],
    };
  }
  if (!state) throw new Error(`${event.type} stands before AccountAdded`);
  switch (event.type) {
    case "DeviceConfirmationRequested":
      return { ...state, deviceConfirmations: [...state.deviceConfirmations, event.data.link] };
    case "DeviceConfirmed": {
      const { link_id } = event.data;
      return {
        ...state,
        deviceConfirmations: state.deviceConfirmations.filter((link) => link.link_id !== link_id),
      };
    }
    case "AccountErased":
      return { ...state, profile: null, erased: true, deviceConfirmations: [] };
    default:
      return state;
  }
}
