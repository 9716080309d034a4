import type { ShippedText } from "#content/shipped-text.ts";
import { type ContentState, type ContentText, evolveContent } from "#contracts/events/content.ts";
import { type ContentEvent, type RegistryEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import {
  type ContentCommand,
  decideContent,
  type PreparedContentCommand,
} from "./content.decider.ts";

interface Deps {
  readonly shipped: ShippedText | undefined;
  /** One event of a stream, opened. */
  readonly eventAt: (stream: string, revision: number) => Promise<RegistryEvent | undefined>;
}

/** The stream, key, fold and decider of one text. */
export function contentAggregate(
  id: string,
  { shipped, eventAt }: Deps,
): Aggregate<ContentState, ContentCommand, PreparedContentCommand> {
  const content = subjects.content(id);
  return {
    stream: streams.content(id),
    subjects: { content },
    bodySubjects: [content],
    clientSubject: (caller) => ownSubject(caller) ?? content,
    newSubjects: () => [{ subject: content }],
    evolve: evolveContent,
    async prepare(_, command) {
      if (command.type !== "RestoreContent") return { ...command, shipped };
      const event = await eventAt(streams.content(id), command.version);
      return { ...command, shipped, former: event && textOf(event as ContentEvent) };
    },
    decide: decideContent,
  };
}

function textOf(event: ContentEvent): ContentText | undefined {
  return "content" in event.data ? (event.data.content ?? undefined) : undefined;
}
