import { contentIdOf } from "#content/content-id.ts";
import type { ShippedTexts } from "#content/shipped-text.ts";
import type { ContentState } from "#contracts/events/content.ts";
import { subjects } from "#contracts/sealed.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { CommandEnvelope, Outcome } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { ViewCounter } from "../views/view-counter.ts";
import { contentAggregate } from "./content.aggregate.ts";
import type { ContentCommand } from "./content.commands.ts";
import type { TermsInForce } from "./terms-in-force.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: Pick<KeyStore, "destroy">;
  readonly views: Pick<ViewCounter, "forget">;
  readonly shipped: ShippedTexts;
  /** `slugHash` under the service key `slugs`. */
  readonly hash: (text: string) => string;
  readonly terms: Pick<TermsInForce, "forget">;
}

/** What became of a text. */
export interface ContentOutcome extends Pick<Outcome<unknown>, "position" | "revision"> {
  readonly status: ContentState["status"];
}

/** Runs the commands about the registry's texts. */
export class ContentService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The text that has, or will have, this address. */
  idOf(command: Extract<ContentCommand, { type: "CreateContent" }>): string {
    return contentIdOf(this.#deps.hash, command.kind, command.slug);
  }

  /**
   * Runs a command. A deleted text's key and views are removed; if this process dies before, the
   * shredder and the hourly sweep do the same.
   * @throws {DomainError} the decider's refusal; see `CommandHandler`.
   */
  async execute(
    id: string,
    command: ContentCommand,
    envelope: CommandEnvelope,
  ): Promise<ContentOutcome> {
    const { handler, keys, views, shipped, terms } = this.#deps;
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
    // A shipped text that stays as it is has no events.
    return { status: state?.status ?? "published", revision, position };
  }

  /** Whether somebody who opened the site can have read this text. */
  async isPublic(id: string): Promise<boolean> {
    const eventAt = async () => undefined;
    const aggregate = contentAggregate(id, { shipped: undefined, eventAt });
    return (await this.#deps.handler.load(aggregate))?.state.status === "published";
  }
}
