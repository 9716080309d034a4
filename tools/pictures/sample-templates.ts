import { sendTemplate } from "../../e2e/support/admin-templates.ts";

/** Adds a draft of a template, with two versions. */
export async function addSampleTemplate(url: string, token: string): Promise<void> {
  const admin = { url, token };
  const name = "Friendlier";
  const { id, revision } = await sendTemplate(admin, "create", "approved", { name });
  const words = {
    subject: "Your report is public now",
    body: "Hello{% if first_name %} {{ first_name }}{% endif %},\n\nyour report **{{ title }}** is public at {{ product_name }} now.\n\n- Everybody can find it.\n- [The terms]({{ site_url }}/terms) say what a banner costs.",
  };
  await sendTemplate(admin, "edit", "approved", { revision, name, ...words }, id);
}
