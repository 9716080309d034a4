import { type Static, Type } from "typebox";
import { contentIdOf } from "#content/content-id.ts";
import type { ShippedText, ShippedTexts } from "#content/shipped-text.ts";
import { loadShippedTexts } from "#content/shipped-texts.ts";
import { type ContentState, type ContentText, evolveContent } from "#contracts/events/content.ts";
import { type ContentEvent, type RegistryEvent, streams } from "#contracts/events/index.ts";
import {
  ADMIN_CONTENT,
  CONTENT_COMMANDS,
  type ContentBody,
  type ContentCommandName,
  ContentCommandReply,
  ContentId,
  PreviewContent,
  PreviewReply,
} from "#contracts/http/content.ts";
import { reply } from "#contracts/http/envelope.ts";
import { strict } from "#contracts/report/fields.ts";
import { subjects } from "#contracts/sealed.ts";
import { ROLES } from "#http/actor.ts";
import { CONTENT_BODY_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import { type CommandEnvelope, type Outcome, ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import type { WriteSide } from "../write-side.ts";
import {
  type ContentCommand,
  decideContent,
  type PreparedContentCommand,
} from "./content.decider.ts";

const Id = strict({ id: ContentId });
const ADMIN = ["admin"] as const;

const COMMANDS: {
  readonly [N in ContentCommandName]: (body: ContentBody<N>) => ContentCommand;
} = {
  create: ({ kind, slug, ...words }) => ({ type: "CreateContent", kind, slug, words }),
  edit: ({ revision, ...words }) => ({ type: "EditContent", revision, words }),
  publish: ({ revision }) => ({ type: "PublishContent", revision }),
  unpublish: ({ revision }) => ({ type: "UnpublishContent", revision }),
  restore: ({ revision, version }) => ({ type: "RestoreContent", revision, version }),
  delete: ({ revision }) => ({ type: "DeleteContent", revision }),
};

/** Adds the admin routes for the registry's texts and their preview, and the route that counts views. */
export async function contentRoutes(app: ServiceInstance, side: WriteSide): Promise<void> {
  const { renderer, views, hash } = side;
  const content = new ContentService({ ...side, shipped: await loadShippedTexts(hash) });
  const command = commandsOf(app, "content");
  for (const name of Object.keys(CONTENT_COMMANDS) as ContentCommandName[]) {
    const { method, path, summary, body, done: sentence } = CONTENT_COMMANDS[name];
    command(method, ADMIN_CONTENT + path, {
      roles: ADMIN,
      limit: "write",
      bounds: CONTENT_BODY_BOUNDS,
      summary,
      ...(path === "" ? {} : { params: Id }),
      body,
      reply: ContentCommandReply,
      async run(request) {
        const toCommand = COMMANDS[name] as (sent: unknown) => ContentCommand;
        const command = toCommand(request.body);
        const id =
          command.type === "CreateContent"
            ? content.idOf(command)
            : (request.params as Static<typeof Id>).id;
        const envelope = request.envelope(id, request.body);
        const { status, revision, position } = await content.execute(id, command, envelope);
        return succeed({ id, status, revision }, { message: sentence, position });
      },
    });
  }
  command("POST", `${ADMIN_CONTENT}/preview`, {
    roles: ADMIN,
    limit: "write",
    bounds: CONTENT_BODY_BOUNDS,
    summary: "Preview a draft as the site would show it; stores nothing",
    body: PreviewContent,
    reply: PreviewReply,
    run: ({ body }) => succeed({ html: renderer.html(body.body) }),
  });
  command("POST", "/prod/api/content/:id/view", {
    roles: ROLES,
    limit: "view",
    summary: "Count a view of a post or a page",
    params: Id,
    body: strict({}),
    reply: reply(strict({ counted: Type.Boolean() })),
    async run(request) {
      const { id } = request.params;
      // The reply doesn't reveal whether an unpublished text exists or existed.
      const counted = await content.isPublic(id);
      if (counted) await views.record(id, request.ip, request.caller.now);
      return succeed({ counted });
    },
  });
}

type Deps = Pick<WriteSide, "handler" | "keys" | "views" | "hash" | "terms"> & {
  readonly shipped: ShippedTexts;
};

interface ContentOutcome extends Pick<Outcome<unknown>, "position" | "revision"> {
  readonly status: ContentState["status"];
}

class ContentService extends Service<Deps> {
  /** ID of the text that has, or will have, this slug. */
  idOf(command: Extract<ContentCommand, { type: "CreateContent" }>): string {
    return contentIdOf(this.deps.hash, command.kind, command.slug);
  }

  /** Runs a command. Deleting a text removes its key and views; after a crash, the shredder and hourly sweep do. */
  async execute(
    id: string,
    command: ContentCommand,
    envelope: CommandEnvelope,
  ): Promise<ContentOutcome> {
    const { handler, keys, views, shipped, terms } = this.deps;
    const aggregate = contentAggregate(id, {
      shipped: shipped.get(id),
      eventAt: (stream, revision) => handler.eventAt(stream, revision),
    });
    const outcome = await handler.execute(aggregate, command, envelope);
    terms.forget();
    if (command.type === "DeleteContent") {
      await keys.destroy([subjects.content(id)], envelope.caller.now);
      await views.forget([id]);
    }
    const { state, revision, position } = outcome;
    // An unchanged shipped text has no events.
    return { status: state?.status ?? "published", revision, position };
  }

  /** Whether the text is published, according to the log. */
  async isPublic(id: string): Promise<boolean> {
    const eventAt = async () => undefined;
    const aggregate = contentAggregate(id, { shipped: undefined, eventAt });
    return (await this.deps.handler.load(aggregate))?.state.status === "published";
  }
}

interface ContentDeps {
  readonly shipped: ShippedText | undefined;
  readonly eventAt: (stream: string, revision: number) => Promise<RegistryEvent | undefined>;
}

/** Stream, key, fold and decider of one text. */
export function contentAggregate(
  id: string,
  { shipped, eventAt }: ContentDeps,
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
