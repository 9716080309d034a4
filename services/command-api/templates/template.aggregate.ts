import { type RegistryEvent, streams, type TemplateEvent } from "#contracts/events/index.ts";
import { evolveTemplates, type KindState, type TemplateText } from "#contracts/events/template.ts";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import { subjects } from "#contracts/sealed.ts";
import { shippedTemplates } from "#mail-templates/shipped/shipped-templates.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import {
  decideTemplates,
  type PreparedTemplateCommand,
  type TemplateCommand,
} from "./template.decider.ts";

interface Deps {
  /** One event of a stream, opened. */
  readonly eventAt: (stream: string, revision: number) => Promise<RegistryEvent | undefined>;
  /**
   * Renders words that would be stored or mailed, on sample data.
   * @throws {DomainError} `invalid_request` with the field that is wrong.
   */
  readonly check: (text: TemplateText) => Promise<void>;
  readonly admins: () => Promise<readonly string[]>;
}

/** The stream, key, fold and decider of the templates of one kind of mail. */
export function templateAggregate(
  kind: TemplateKind,
  { eventAt, check, admins }: Deps,
): Aggregate<KindState, TemplateCommand, PreparedTemplateCommand> {
  const template = subjects.template(kind);
  return {
    stream: streams.template(kind),
    subjects: { template },
    bodySubjects: [template],
    clientSubject: (caller) => ownSubject(caller) ?? template,
    newSubjects: () => [{ subject: template }],
    evolve: evolveTemplates,
    async prepare(state, command) {
      const { subject, body } = shippedTemplates[kind];
      const prepared = { ...command, shipped: { subject, body }, admins: await admins() };
      const present = state?.templates.get(command.id)?.text;
      switch (command.type) {
        case "EditTemplate":
          await check(command.text);
          return prepared;
        case "RestoreTemplate": {
          const event = await eventAt(streams.template(kind), command.version);
          const former = event && textOf(event as TemplateEvent, command.id);
          if (former) await check(former);
          return { ...prepared, former };
        }
        case "ActivateTemplate":
        case "TestTemplate":
          if (present) await check(present);
          return prepared;
        default:
          return prepared;
      }
    },
    decide: decideTemplates,
  };
}

function textOf({ data }: TemplateEvent, id: string): TemplateText | undefined {
  return data.template_id === id && "template" in data ? (data.template ?? undefined) : undefined;
}
