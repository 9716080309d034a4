import { describe, expect, it } from "vitest";
import { ADMIN, memoryStorage } from "#session-client/testing/sessions.ts";
import { fakeBrowser } from "../../../testing/fake-browser.ts";
import { DRAFT_LIVES_MS, removeExpiredDraft } from "../../lib/draft-storage.ts";
import { FORM_FIELDS, type FormField, ITEM_FIELDS, type ItemField } from "./form-fields.ts";
import { type FormState, formReducer, INITIAL_FORM, isDirty } from "./form-state.ts";
import { draftOf, formOf, prefillOf, storeDraft, storedDraft } from "./use-draft.ts";

const NOW = Date.parse("2026-11-23T08:00:00Z");

/** Fields with contact details, or about a card, check or bank account. */
const LEFT_OUT = [
  "email",
  "phone",
  "ip_address",
  "street_address",
  "zip",
  "first_6",
  "last_4",
  "check_number",
  "bank_name",
  "bank_routing",
  "bank_account",
  "reporter_email",
  "reporter_phone",
];

const valued = <F extends string>(fields: readonly F[]) =>
  Object.fromEntries(fields.map((field) => [field, `<${field}>`])) as Record<F, string>;

const filled: FormState = {
  ...INITIAL_FORM,
  fields: valued<FormField>(FORM_FIELDS),
  items: [{ key: 3, values: valued<ItemField>(ITEM_FIELDS) }],
  termsAccepted: true,
};

describe("a draft", () => {
  it("leaves out card, bank and contact fields, and the agreement to the terms", () => {
    const draft = draftOf(filled, null, NOW);
    expect(Object.keys(draft.fields).sort()).toEqual(
      FORM_FIELDS.filter((field) => !LEFT_OUT.includes(field)).sort(),
    );
    expect(Object.keys(draft.items[0] ?? {}).sort()).toEqual(
      ITEM_FIELDS.filter((field) => !LEFT_OUT.includes(field)).sort(),
    );
    const text = JSON.stringify(draft);
    for (const field of LEFT_OUT) expect(text).not.toContain(`<${field}>`);
    expect(text).not.toContain("terms");
  });

  it("restores the form, with defaults for missing values", () => {
    const form = formOf(draftOf(filled, null, NOW));
    const restored = formReducer(INITIAL_FORM, { type: "restore", form });
    expect(restored.fields).toMatchObject({ title: "<title>", last_4: "", country: "<country>" });
    expect(restored.items).toMatchObject([{ key: 1, values: { notes: "<notes>", last_4: "" } }]);
    expect(restored).toMatchObject({ termsAccepted: false, nextKey: 2 });
    const empty = { savedAt: NOW, account: null, fields: { title: 7 }, items: [] } as never;
    expect(formOf(empty).fields).toEqual(INITIAL_FORM.fields);
  });
});

describe("the stored draft", () => {
  it("expires after seven days", () => {
    const { storage } = fakeBrowser();
    expect(storeDraft(filled, null, NOW)).toBe(true);
    expect(storedDraft(null, NOW + DRAFT_LIVES_MS - 1)?.fields.title).toBe("<title>");
    expect(DRAFT_LIVES_MS).toBe(7 * 86_400_000);
    expect(storedDraft(null, NOW + DRAFT_LIVES_MS)).toBeUndefined();
    expect(storage.length).toBe(0);
  });

  it("is removed at the start of any page if it is expired or unreadable, and kept otherwise", () => {
    const { storage } = fakeBrowser();
    removeExpiredDraft(NOW);
    storeDraft(filled, null, NOW);
    removeExpiredDraft(NOW + DRAFT_LIVES_MS - 1);
    expect(storage.length).toBe(1);
    removeExpiredDraft(NOW + DRAFT_LIVES_MS);
    expect(storage.length).toBe(0);
    storage.setItem("registry_report_draft", "{");
    removeExpiredDraft(NOW);
    expect(storage.length).toBe(0);
  });

  it("is restored only for the account that wrote it; a visitor's, for anyone", () => {
    fakeBrowser();
    storeDraft(filled, ADMIN.id, NOW);
    expect(storedDraft("another", NOW)).toBeUndefined();
    expect(storedDraft(null, NOW)).toBeUndefined();
    expect(storedDraft(ADMIN.id, NOW)?.account).toBe(ADMIN.id);
    storeDraft(filled, null, NOW);
    expect(storedDraft(ADMIN.id, NOW)?.account).toBeNull();
  });

  it("is removed once everything was cleared", () => {
    const { storage } = fakeBrowser();
    storeDraft(filled, null, NOW);
    expect(storeDraft(INITIAL_FORM, null, NOW)).toBe(false);
    expect(storage.length).toBe(0);
  });

  it.each(["", "{", "null", "[]", '{"savedAt":1}', '{"savedAt":"x","fields":{},"items":[]}'])(
    "is removed if it is unreadable: %j",
    (text) => {
      const { storage } = fakeBrowser();
      storage.setItem("registry_report_draft", text);
      expect(storedDraft(null, NOW)).toBeUndefined();
      expect(storage.length).toBe(0);
    },
  );

  it("is skipped if the browser blocks storage", () => {
    const refuses = () => {
      throw new Error("denied");
    };
    fakeBrowser();
    Object.assign(window, {
      localStorage: { ...memoryStorage(), getItem: refuses, setItem: refuses, removeItem: refuses },
    });
    expect(storeDraft(filled, null, NOW)).toBe(false);
    expect(storedDraft(null, NOW)).toBeUndefined();
  });
});

describe("the prefilled form", () => {
  const user = { ...ADMIN, phone: "+1 303 555 0100", company: "Ruiz Ltd" };
  const prefilled = formReducer(INITIAL_FORM, { type: "prefill", values: prefillOf(user) });

  it("has the reporter's name, address, phone and company, never the public company name", () => {
    expect(prefilled.fields).toEqual({
      ...INITIAL_FORM.fields,
      reporter_first_name: "Dana",
      reporter_last_name: "Ruiz",
      reporter_email: "dana@registry.example",
      reporter_phone: "+1 303 555 0100",
      reporter_company_name: "Ruiz Ltd",
    });
  });

  it("counts as untouched until the user types", () => {
    expect(isDirty(prefilled)).toBe(false);
    const typed = formReducer(prefilled, { type: "set", field: "reporter_phone", value: "" });
    expect(isDirty(typed)).toBe(true);
    expect(isDirty(formReducer(typed, { type: "reset" }))).toBe(false);
  });

  it("keeps what was typed before the account was known, and what a draft contains", () => {
    const typed = formReducer(INITIAL_FORM, { type: "set", field: "reporter_email", value: "x@y" });
    const values = prefillOf(user);
    const fields = formReducer(typed, { type: "prefill", values }).fields;
    expect(fields).toMatchObject({ reporter_email: "x@y", reporter_first_name: "Dana" });
    const form = formOf(draftOf(filled, null, NOW));
    expect(formReducer(prefilled, { type: "restore", form }).fields).toMatchObject({
      reporter_first_name: "<reporter_first_name>",
      reporter_email: "dana@registry.example",
    });
  });

  it("passes nothing to the next account, even values that were edited", () => {
    const typed = formReducer(prefilled, {
      type: "set",
      field: "reporter_first_name",
      value: "Dee",
    });
    const titled = formReducer(typed, { type: "set", field: "title", value: "Kept" });
    const next = {
      ...ADMIN,
      id: "another",
      first_name: "Bo",
      last_name: "Fox",
      email: "bo@x.example",
    };
    const another = formReducer(titled, { type: "another-account" });
    expect(another).toMatchObject({
      prefilled: {},
      fields: { ...INITIAL_FORM.fields, title: "Kept" },
    });
    const theirs = formReducer(another, { type: "prefill", values: prefillOf(next) });
    expect(JSON.stringify(draftOf(theirs, next.id, NOW))).not.toMatch(/Dana|Dee|Ruiz/);
    expect(theirs.fields).toMatchObject({ reporter_first_name: "Bo", reporter_phone: "" });
  });

  it("drops prefilled values on sign-out, and keeps what was typed", () => {
    const typed = formReducer(prefilled, { type: "set", field: "reporter_phone", value: "303" });
    expect(formReducer(typed, { type: "prefill", values: {} })).toMatchObject({
      prefilled: {},
      fields: { ...INITIAL_FORM.fields, reporter_phone: "303" },
    });
  });
});
