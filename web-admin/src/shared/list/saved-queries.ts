import type { SavedQuery, Store } from "react-admin";
import {
  type FilteredList,
  SAVED_FILTER,
  SAVED_FILTERS,
  type SavedFilter,
} from "#contracts/http/list-exports.ts";
import { messageOf } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";

/** A saved query's value apart from its filter, equal for all so that queries only differ by filter. */
export const SAVED_VALUE = {
  sort: { field: "id", order: "ASC" as const },
  perPage: 25,
  displayedFilters: [],
} satisfies Partial<SavedQuery["value"]>;

/** Store key of the error message for the last change that the server rejected. */
export const SAVED_FAILURE = "savedQueries.failure";

const LISTS: Readonly<Record<string, FilteredList>> = {
  "reports.savedQueries": "reports",
  "users.savedQueries": "users",
  "audit-logs.savedQueries": "audit",
};

/**
 * Keeps react-admin's saved queries on the server. They are read when a list first asks for them. A change shows
 * immediately; if the server rejects it, it is reverted with a message under {@link SAVED_FAILURE}.
 * @param memory holds them on the client.
 */
export function savedQueries(
  memory: Store,
  provider: Pick<ConsoleDataProvider, "read" | "command">,
) {
  let isRead = false;
  /** Incremented on each sign-out: earlier responses are not for the next user. */
  let turn = 0;
  let last: Promise<unknown> = Promise.resolve();
  const kept = async () =>
    (await provider.read<{ filters: readonly SavedFilter[] }>(SAVED_FILTERS)).filters;
  const read = async (mine: number) => {
    const all = await kept();
    if (mine !== turn) return;
    for (const [key, list] of Object.entries(LISTS)) {
      const own = all.filter((each) => each.list === list);
      memory.setItem(
        key,
        own.map(({ name, filter }) => ({ label: name, value: { filter, ...SAVED_VALUE } })),
      );
    }
    memory.setItem(SAVED_FAILURE, "");
  };
  const fail = (mine: number, what: string) => (error: unknown) => {
    if (mine !== turn) return;
    isRead = false;
    memory.setItem(SAVED_FAILURE, `${what}: ${messageOf(error, "Connection failed")}`);
  };
  const change = async (
    mine: number,
    list: FilteredList,
    before: readonly SavedQuery[],
    after: readonly SavedQuery[],
  ) => {
    const isIn = (some: readonly SavedQuery[]) => (query: SavedQuery) =>
      some.some((each) => textOf(each) === textOf(query));
    const saved = await kept();
    for (const query of before.filter((each) => !isIn(after)(each))) {
      const { label: name, value } = query;
      const found = saved.find(
        (each) =>
          each.list === list &&
          textOf({ label: each.name, value: each }) === textOf({ label: name, value }),
      );
      if (found && mine === turn)
        await provider.command(SAVED_FILTER.replace(":id", found.id), {}, "DELETE");
    }
    for (const { label, value } of after.filter((each) => !isIn(before)(each)))
      if (mine === turn)
        await provider.command(SAVED_FILTERS, {
          list,
          name: label,
          filter: value.filter as Record<string, string>,
        });
    await read(mine);
  };
  return {
    isOne: (key: string) => Object.hasOwn(LISTS, key),
    /** Reads the queries from the server, once. */
    look(): void {
      if (isRead) return;
      isRead = true;
      void read(turn).catch(fail(turn, "Couldn't load saved queries"));
    },
    set(key: string, after: readonly SavedQuery[]): void {
      const list = LISTS[key];
      if (!list) return;
      const before = memory.getItem<readonly SavedQuery[]>(key, []) ?? [];
      memory.setItem(key, after);
      const mine = turn;
      // In sequence, because each change looks up what is saved by then.
      last = last
        .then(() => (mine === turn ? change(mine, list, before, after) : undefined))
        .catch(async (error) => {
          if (mine === turn) memory.setItem(key, before);
          await read(mine).catch(() => undefined);
          fail(mine, "Couldn't save the change")(error);
        });
    },
    /** Discards everything on sign-out. */
    clear(): void {
      isRead = false;
      turn += 1;
    },
  };
}

function textOf({
  label,
  value,
}: {
  readonly label: string;
  readonly value: { filter?: unknown };
}) {
  const filter = Object.entries((value.filter ?? {}) as object).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return JSON.stringify([label, filter]);
}
