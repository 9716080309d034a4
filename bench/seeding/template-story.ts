import { streams, type TemplateEvent } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import type { Act } from "./history.ts";

/** Acts of a template that is edited, tested, mailed for a while and deleted. */
export function templateActs(adminId: string, time: string): Act[] {
  // Each admin has one, with an id that no other has.
  const template_id = adminId;
  const template = {
    name: "Friendlier",
    subject: "Your report to {{ product_name }}",
    body: "Hello {{ first_name }}",
  };
  const told = [adminId];
  const edited = { ...template, body: "Hi {{ first_name }}" };
  const events: readonly TemplateEvent[] = [
    { type: "TemplateCreated", data: { template_id, template } },
    { type: "TemplateEdited", data: { template_id, template: edited } },
    { type: "TemplateTested", data: { template_id, to: adminId } },
    { type: "TemplateActivated", data: { template_id, told } },
    { type: "TemplateRestored", data: { template_id, revision: 0, told, template } },
    { type: "TemplateDeactivated", data: { template_id, told } },
    { type: "TemplateDeleted", data: { template_id } },
  ];
  return events.map((event) => ({
    stream: streams.template("approved"),
    events: [event],
    actor: { id: adminId, role: "admin" },
    time,
    needs: [subjects.template("approved")],
    destroys: [],
  }));
}
