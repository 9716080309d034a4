import { type ContentEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import type { Act } from "./history.ts";
import type { Random } from "./random.ts";

/**
 * Acts of a text that ships, is edited, restored and published, of one that is deleted, and of the
 * settings.
 */
export function contentActs(random: Random, adminId: string, time: string): Act[] {
  const text = {
    slug: "cost",
    title: "What does it cost?",
    description: "",
    body: "Searching is free.",
    order: 8,
  };
  const inForce = { version: "2026-11-23", effective_date: "2026-11-23" };
  const act = (id: string, event: ContentEvent): Act => ({
    stream: streams.content(id),
    events: [event],
    actor: { id: adminId, role: "admin" },
    time,
    needs: [subjects.content(id)],
    destroys: event.type === "ContentDeleted" ? [subjects.content(id)] : [],
  });
  const [kept, gone] = [random.uuid(), random.uuid()];
  const edited = { ...text, body: "Searching and reading are free." };
  const settings: Act = {
    stream: streams.settings,
    events: [
      {
        type: "SettingsChanged",
        data: {
          session_timeout: 30,
          backup_keep: 7,
          content: { maintenance_message: "Back at noon." },
        },
      },
    ],
    actor: { id: adminId, role: "admin" },
    time,
    needs: [subjects.settings],
    destroys: [],
  };
  return [
    settings,
    act(kept, { type: "ContentShipped", data: { kind: "faq", ...inForce, content: text } }),
    act(kept, { type: "ContentEdited", data: { content: edited } }),
    act(kept, { type: "ContentRestored", data: { revision: 0, content: text } }),
    act(kept, { type: "ContentPublished", data: {} }),
    act(gone, { type: "ContentCreated", data: { kind: "blog", content: text } }),
    act(gone, { type: "ContentUnpublished", data: {} }),
    act(gone, { type: "ContentDeleted", data: {} }),
  ];
}
