import type { FastifyBaseLogger } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { streams, type TemplateEvent } from "#contracts/events/index.ts";
import { evolveTemplates, type KindState, type TemplateText } from "#contracts/events/template.ts";
import { given } from "#contracts/given.ts";
import type { TemplateVersion } from "#contracts/http/admin-templates.ts";
import {
  TEMPLATE_KINDS,
  type TemplateKind,
  type TemplateStatus,
} from "#contracts/mail/template-kinds.ts";
import type { Position } from "#event-store/port.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { NameOf } from "../actors/actor-names.ts";
import type { ReadSide } from "../read-side.ts";

type Deps = Pick<ReadSide, "store" | "keys" | "names">;

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

/** A kind's stream as it was read. */
interface ReadKind {
  readonly state: KindState | undefined;
  readonly steps: readonly Step[];
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
  /** What all kinds were at an end of the log. While nothing is appended, nothing is read again. */
  #last:
    | { readonly head: Position; readonly kinds: readonly (readonly [TemplateKind, ReadKind])[] }
    | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The templates of each kind that are not deleted. */
  async all(log: FastifyBaseLogger): Promise<ReadonlyMap<TemplateKind, KindTemplates>> {
    const kinds = await this.#readAll();
    const steps = kinds.flatMap(([, read]) => read.steps);
    const nameOf = await this.#names(steps, log);
    return new Map(kinds.map(([kind, read]) => [kind, present(kind, read, nameOf)]));
  }

  async of(kind: TemplateKind, log: FastifyBaseLogger): Promise<KindTemplates> {
    const read = await this.#read(kind);
    return present(kind, read, await this.#names(read.steps, log));
  }

  /** @throws {DomainError} `not_found` unless the event at that revision gives the template its words. */
  async version(kind: TemplateKind, id: string, revision: number): Promise<TemplateText> {
    const { steps } = await this.#read(kind);
    const event = steps.find((step) => step.id === id && step.revision === revision)?.event;
    const text = event && "template" in event.data ? event.data.template : undefined;
    if (!text) throw new DomainError("not_found", `This template has no version ${revision}`);
    return text;
  }

  async #readAll() {
    const head = await this.#deps.store.head();
    if (this.#last?.head === head) return this.#last.kinds;
    const kinds = await Promise.all(
      TEMPLATE_KINDS.map(async (kind) => [kind, await this.#read(kind)] as const),
    );
    this.#last = { head, kinds };
    return kinds;
  }

  #names(steps: readonly Step[], log: FastifyBaseLogger): Promise<NameOf> {
    return this.#deps.names.nameOf(
      steps.map(({ actor }) => actor),
      log,
    );
  }

  async #read(kind: TemplateKind): Promise<ReadKind> {
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

function present(kind: TemplateKind, { state, steps }: ReadKind, nameOf: NameOf): KindTemplates {
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
