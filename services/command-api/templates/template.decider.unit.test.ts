import { describe, expect, it } from "vitest";
import type { TemplateEvent } from "#contracts/events/index.ts";
import { evolveTemplates } from "#contracts/events/template.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  decideTemplates,
  type PreparedTemplateCommand,
  type TemplateCommand,
} from "./template.decider.ts";

const [A, B, DANA, RAY] = ["a", "b", "d", "e"].map(
  (digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`,
) as [string, string, string, string];
const moment = { now: "2026-11-24T10:00:00.000Z", newId: "n" };
const given = givenFor({ decide: decideTemplates, evolve: evolveTemplates, moment });

const shipped = { subject: "Shipped", body: "Shipped words" };
const text = { name: "Friendlier", ...shipped };
const other = { ...text, body: "Other words" };
const admins = [DANA, RAY];
const prepared = (command: TemplateCommand): PreparedTemplateCommand => ({
  ...command,
  shipped,
  admins,
});
const add = (id: string, from?: string) =>
  prepared({ type: "CreateTemplate", id, name: text.name, from });
const created = (template_id: string, from?: string): TemplateEvent => ({
  type: "TemplateCreated",
  data: { template_id, ...(from ? { from } : {}), template: text },
});
const activated = (template_id: string): TemplateEvent => ({
  type: "TemplateActivated",
  data: { template_id, told: admins },
});
const edited = (template_id: string, told = false): TemplateEvent => ({
  type: "TemplateEdited",
  data: { template_id, ...(told ? { told: admins } : {}), template: other },
});
const deleted = (template_id: string): TemplateEvent => ({
  type: "TemplateDeleted",
  data: { template_id },
});
const edit = (id: string, revision: number) =>
  prepared({ type: "EditTemplate", id, revision, text: other });
const simple = (
  type: "ActivateTemplate" | "DeactivateTemplate" | "DeleteTemplate",
  id: string,
  revision: number,
) => prepared({ type, id, revision });

describe("a new template", () => {
  it("is a draft with the text of the shipped one, or of another template", () => {
    given().when(add(A)).gives(created(A));
    expect(given(created(A)).state?.templates.get(A)).toMatchObject({ status: "draft", text });
    given(created(A), edited(A))
      .when(add(B, A))
      .gives({ type: "TemplateCreated", data: { template_id: B, from: A, template: other } });
    given().when(add(B, A)).isRefused("not_found");
    given(created(A), deleted(A)).when(add(B, A)).isRefused("template_deleted");
  });

  it("is refused if there are already twenty, until one is deleted", () => {
    const many = Array.from({ length: 20 }, (_, n) =>
      created(`${String(n).padStart(8, "0")}-1111-4111-8111-111111111111`),
    );
    given(...many)
      .when(add(A))
      .isRefused("template_limit");
    const [first] = many;
    if (first?.type !== "TemplateCreated") throw new Error("none");
    given(...many, deleted(first.data.template_id))
      .when(add(A))
      .gives(created(A));
  });
});

describe("the active template", () => {
  it("is the only one of its kind: activating another replaces it", () => {
    given(created(A), created(B), activated(A))
      .when(simple("ActivateTemplate", B, 1))
      .gives(activated(B));
    const { state } = given(created(A), created(B), activated(A), activated(B));
    expect(state?.active).toBe(B);
    expect([A, B].map((id) => state?.templates.get(id)?.status)).toEqual(["inactive", "active"]);
  });

  it("can't be deleted, but an inactive one can", () => {
    const history = given(created(A), activated(A));
    history.when(simple("DeleteTemplate", A, 1)).isRefused("template_active");
    given(created(A))
      .when(simple("DeleteTemplate", A, 0))
      .gives(deleted(A));
  });

  it("falls back to the shipped one when deactivated", () => {
    const deactivated = {
      type: "TemplateDeactivated",
      data: { template_id: A, told: admins },
    } as const;
    given(created(A), activated(A))
      .when(simple("DeactivateTemplate", A, 1))
      .gives(deactivated);
    const { state } = given(created(A), activated(A), deactivated);
    expect([state?.active, state?.templates.get(A)?.status]).toEqual([undefined, "inactive"]);
    given(created(A))
      .when(simple("DeactivateTemplate", A, 0))
      .gives();
  });

  it("notifies all admins of every change, whoever makes it; a draft notifies no one", () => {
    given(created(A), activated(A)).when(edit(A, 1)).gives(edited(A, true));
    given(created(A)).when(edit(A, 0)).gives(edited(A));
    const restore = {
      ...prepared({ type: "RestoreTemplate", id: A, revision: 2, version: 0 }),
      former: text,
    };
    given(created(A), activated(A), edited(A, true))
      .when(restore)
      .gives({
        type: "TemplateRestored",
        data: { template_id: A, revision: 0, told: admins, template: text },
      });
    given(created(A))
      .when(simple("ActivateTemplate", A, 0))
      .gives(activated(A));
    given(created(A), activated(A))
      .when(simple("ActivateTemplate", A, 1))
      .gives();
  });
});

describe("concurrent changes", () => {
  it("are refused after the first one, whatever they are, and overwrite nothing", () => {
    const history = given(created(A), edited(A));
    for (const command of [
      edit(A, 0),
      simple("ActivateTemplate", A, 0),
      simple("DeleteTemplate", A, 0),
      prepared({ type: "TestTemplate", id: A, revision: 0, to: DANA }),
      { ...prepared({ type: "RestoreTemplate", id: A, revision: 0, version: 0 }), former: text },
    ])
      history.when(command).isRefused("template_changed");
  });

  it("exclude changes of another template of the kind, and test emails", () => {
    const tested = { type: "TemplateTested", data: { template_id: A, to: DANA } } as const;
    given(created(A), created(B), activated(B), tested).when(edit(A, 0)).gives(edited(A));
  });

  it("are refused if the template was deleted in the meantime", () => {
    given(created(A), deleted(A)).when(edit(A, 0)).isRefused("template_deleted");
    given(created(B)).when(edit(A, 0)).isRefused("not_found");
  });
});

describe("saving and restoring", () => {
  it("is a no-op if nothing differs", () => {
    given(created(A), edited(A)).when(edit(A, 1)).gives();
  });

  it("requires an existing version", () => {
    given(created(A))
      .when(prepared({ type: "RestoreTemplate", id: A, revision: 0, version: 7 }))
      .isRefused("not_found");
  });
});
