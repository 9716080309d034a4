import { memoryStore, type SavedQuery } from "react-admin";
import { describe, expect, it } from "vitest";
import { SAVED_FILTER, type SavedFilter } from "#contracts/http/list-exports.ts";
import { consoleStore } from "../../app/console-store.ts";
import { SAVED_FAILURE, SAVED_VALUE } from "./saved-queries.ts";

const KEY = "users.savedQueries";
const query = (label: string, filter: object): SavedQuery => ({
  label,
  value: { filter, ...SAVED_VALUE },
});
const OWN = { id: "1", list: "users", name: "Banned", filter: { status: "banned" } } as const;

function opened(filters: SavedFilter[], fails = false) {
  let id = 1;
  const provider = {
    read: async <T>() => ({ filters: [...filters] }) as T,
    async command<T>(url: string, body?: object, method?: string) {
      if (fails && method !== "DELETE") throw new Error("You have 50 saved filters");
      id += 1;
      const kept = filters.filter((each) => url !== SAVED_FILTER.replace(":id", each.id));
      if (method !== "DELETE") kept.push({ id: `${id}`, ...(body as Omit<SavedFilter, "id">) });
      filters.splice(0, filters.length, ...kept);
      return { data: undefined as T, message: undefined };
    },
  };
  const store = consoleStore(provider, memoryStore());
  store.setup();
  const seen: unknown[] = [];
  store.subscribe(KEY, (value) => seen.push(value));
  return { store, seen, filters };
}
/** Waits for all responses; none depends on anything external. */
const answered = () => new Promise((resolve) => setImmediate(resolve));

describe("saved queries", () => {
  it("are read from the server when a list asks for them, each for its own list", async () => {
    const other: SavedFilter = { id: "2", list: "audit", name: "Failed", filter: {} };
    const { store, seen } = opened([OWN, other]);
    await answered();
    expect(seen.at(-1)).toEqual([query("Banned", { status: "banned" })]);
    expect(store.getItem("audit-logs.savedQueries")).toEqual([query("Failed", {})]);
  });

  it("are saved and deleted on the server", async () => {
    const { store, filters } = opened([OWN]);
    await answered();
    const added = query("Admins", { role: "admin" });
    store.setItem(KEY, [query("Banned", { status: "banned" }), added]);
    await answered();
    expect(filters.map(({ name }) => name)).toEqual(["Banned", "Admins"]);
    store.setItem(KEY, [added]);
    await answered();
    expect(filters).toEqual([
      { id: "2", list: "users", name: "Admins", filter: { role: "admin" } },
    ]);
  });

  it("are reverted with an error message if the server rejects them", async () => {
    const { store, seen } = opened([OWN], true);
    await answered();
    store.setItem(KEY, [query("Banned", { status: "banned" }), query("Admins", {})]);
    await answered();
    expect(seen.at(-1)).toEqual([query("Banned", { status: "banned" })]);
    expect(store.getItem(SAVED_FAILURE)).toMatch(/^Couldn't save the change/);
  });

  it("are cleared on sign-out, and read again for the next user", async () => {
    const { store, seen, filters } = opened([OWN]);
    await answered();
    store.reset();
    expect(store.getItem(KEY, [])).toEqual([]);
    filters.length = 0;
    store.subscribe(KEY, (value) => seen.push(value));
    await answered();
    expect(seen.at(-1)).toEqual([]);
  });

  it("are not shown to the next user if they arrive after sign-out", async () => {
    const { store } = opened([OWN]);
    store.reset();
    await answered();
    expect(store.getItem(KEY, [])).toEqual([]);
  });

  it("are not changed for the next user by pending changes", async () => {
    const { store, filters } = opened([OWN]);
    await answered();
    store.setItem(KEY, []);
    store.reset();
    await answered();
    expect(filters).toEqual([OWN]);
  });

  it("are changed in sequence", async () => {
    const { store, filters } = opened([]);
    await answered();
    const [one, two] = [query("One", { status: "banned" }), query("Two", { role: "admin" })];
    store.setItem(KEY, [one]);
    store.setItem(KEY, [one, two]);
    store.setItem(KEY, [two]);
    await answered();
    expect(filters.map(({ name }) => name)).toEqual(["Two"]);
  });

  it("are read again after a failure, including what was saved in another session", async () => {
    const { store, filters } = opened([OWN], true);
    await answered();
    filters.push({ id: "9", list: "users", name: "Other", filter: {} });
    store.setItem(KEY, [query("Admins", {})]);
    await answered();
    expect(store.getItem<SavedQuery[]>(KEY, [])?.map(({ label }) => label)).toEqual(["Other"]);
    expect(store.getItem(SAVED_FAILURE)).toMatch(/^Couldn't save the change/);
  });
});
