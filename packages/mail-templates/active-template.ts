import { streams, type TemplateEvent } from "#contracts/events/index.ts";
import type { TemplateText } from "#contracts/events/template.ts";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { StreamDeps } from "#vault/open-stream.ts";

/** A template written by staff. */
export interface ReadTemplate {
  readonly id: string;
  readonly text: TemplateText;
}

/** Reads the active template from the log each time. @returns undefined while the shipped one is active. */
export async function readActive(
  kind: TemplateKind,
  deps: StreamDeps,
): Promise<ReadTemplate | undefined> {
  const newer: StoredEvent[] = [];
  let active: string | undefined;
  const newestFirst = { direction: "backwards" } as const;
  for await (const event of deps.store.readStream(streams.template(kind), "end", newestFirst)) {
    if (active === undefined) {
      if (event.type === "TemplateDeactivated") return undefined;
      if (event.type !== "TemplateActivated") {
        newer.push(event);
        continue;
      }
      active = templateOf(event);
      // Edits made after the activation take precedence.
      for (const each of newer) {
        const found = await open(each, active, deps);
        if (found) return found;
      }
    }
    const found = await open(event, active, deps);
    if (found) return found;
  }
  return undefined;
}

/** Returns the template that the event is about, as of that revision. */
export async function readTested(
  kind: TemplateKind,
  revision: number,
  deps: StreamDeps,
): Promise<ReadTemplate | undefined> {
  let tested: string | undefined;
  const newestFirst = { direction: "backwards" } as const;
  for await (const event of deps.store.readStream(streams.template(kind), revision, newestFirst)) {
    tested ??= templateOf(event);
    const found = await open(event, tested, deps);
    if (found) return found;
  }
  return undefined;
}

function templateOf({ data }: StoredEvent): string {
  return (data as { readonly template_id: string }).template_id;
}

/** Returns the template's text if the event sets it. */
async function open(
  event: StoredEvent,
  id: string,
  { keys, codec }: StreamDeps,
): Promise<ReadTemplate | undefined> {
  const subjects = codec.subjectsOf([event]);
  if (templateOf(event) !== id || !("template" in (event.data as object))) return undefined;
  const opened = codec.openEvent(event, await keys.get(subjects)) as TemplateEvent;
  const text = "template" in opened.data ? opened.data.template : undefined;
  return text ? { id, text } : undefined;
}
