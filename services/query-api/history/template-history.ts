import type { FastifyBaseLogger } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { streams, type TemplateEvent } from "#contracts/events/index.ts";
import {
  evolveTemplates,
  type KindState,
  type TemplateText,
} from "#contracts/events/template/template-fold.ts";
import { given } from "#contracts/given.ts";
import type { TemplateVersion } from "#contracts/http/admin-templates.ts";
import {
  TEMPLATE_KINDS,
  type TemplateKind,
  type TemplateStatus,
} from "#contracts/mail/template-kinds.ts";
import type { EventStore } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/registry-codec.ts";
import { type ActorNames, fullName } from "../actors/actor-names.ts";

interface Deps {
  readonly store: Pick<EventStore, "readStream">;
  readonly keys: Pick<KeyStore, "get">;
  readonly names: ActorNames;
}

/** A template as its events left it. */
export interface PresentTemplate {
  readonly kind: TemplateKind;
  readonly id: string;
  readonly status: TemplateStatus;
  readonly revision: number;
  readonly text: TemplateText;
  /** When it was last changed, RFC 3339, and by whom, where the name is known. */
  readonly changed: { readonly at: string; readonly by?: string };
  /** What happened to it, oldest first. */
  readonly history: readonly TemplateVersion[];
}

/** What happened to a template, before names are known. */
interface Step {
  readonly id: string;
  readonly event: TemplateEvent;
  readonly revision: number;
  readonly at: string;
  readonly actor: string;
}

/** The templates of a kind, and whether the shipped one is mailed. */
export interface KindTemplates {
  readonly isShippedActive: boolean;
  readonly templates: readonly PresentTemplate[];
}

/** The latest events of a template that its history shows. */
const MOST_EVENTS = 500;

/**
 * The templates of mails, read from the log: they are few, and what is read is what is mailed.
 */
export class TemplateHistory {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The templates of each kind that are not deleted. */
  async all(log: FastifyBaseLogger): Promise<ReadonlyMap<TemplateKind, KindTemplates>> {
    const read = await Promise.all(
      TEMPLATE_KINDS.map(async (kind) => [kind, await this.of(kind, log)] as const),
    );
    return new Map(read);
  }

  async of(kind: TemplateKind, log: FastifyBaseLogger): Promise<KindTemplates> {
    const { state, steps } = await this.#read(kind);
    const names = await this.#deps.names.staffAmong(
      steps.map(({ actor }) => actor),
      log,
    );
    const nameOf = (actor: string) => {
      const name = names.get(actor);
      return name && fullName(name);
    };
    const templates = [...(state?.templates.values() ?? [])].flatMap(
      ({ id, status, revision, text }): PresentTemplate[] => {
        if (status === "deleted" || !text) return [];
        const own = steps.filter((step) => step.id === id);
        const last = own.find((step) => step.revision === revision);
        const history = own.slice(-MOST_EVENTS).map(({ event, revision: at, ...step }) => ({
          revision: at,
          type: event.type,
          at: step.at,
          ...given({
            actor: nameOf(step.actor),
            restored: event.type === "TemplateRestored" ? event.data.revision : undefined,
          }),
          has_text: "template" in event.data,
        }));
        const changed = { at: last?.at ?? "", ...given({ by: last && nameOf(last.actor) }) };
        return [{ kind, id, status, revision, text, changed, history }];
      },
    );
    return { isShippedActive: state?.active === undefined, templates };
  }

  /** @throws {DomainError} `not_found` unless the event at that revision gives the template its words. */
  async version(kind: TemplateKind, id: string, revision: number): Promise<TemplateText> {
    const { steps } = await this.#read(kind);
    const event = steps.find((step) => step.id === id && step.revision === revision)?.event;
    const text = event && "template" in event.data ? event.data.template : undefined;
    if (!text) throw new DomainError("not_found", `This template has no version ${revision}`);
    return text;
  }

  async #read(kind: TemplateKind): Promise<{ state: KindState | undefined; steps: Step[] }> {
    const { store, keys } = this.#deps;
    let state: KindState | undefined;
    const steps: Step[] = [];
    for await (const stored of store.readStream(streams.template(kind))) {
      const found = await keys.get(registryCodec.subjectsOf([stored]));
      const event = registryCodec.openEvent(stored, found) as TemplateEvent;
      state = evolveTemplates(state, event);
      const { revision, metadata } = stored;
      const id = event.data.template_id;
      steps.push({ id, event, revision, at: metadata.time, actor: metadata.actor.id });
    }
    return { state, steps };
  }
}
