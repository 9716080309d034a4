import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import { isTemplateKind, sampleValues, type TemplateKind } from "#contracts/mail/template-kinds.ts";
import type { TemplateValues } from "#contracts/mail/template-variables.ts";
import { Coalescer } from "#runtime/db/coalescer.ts";
import type { KeyLookup, KeyStore } from "#vault/keys/key-store.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import { type ReadTemplate, readActive, readTested } from "../active-template.ts";
import type { MailText } from "../layout.ts";
import type { RenderedText } from "../render-text.ts";
import type { TemplateRenderer } from "../template-renderer.ts";
import { fixedParts, shippedMail } from "./fixed-mails.ts";
import { type MailFacts, valuesOf } from "./template-values.ts";

interface Deps extends StreamDeps {
  readonly renderer: Pick<TemplateRenderer, "render">;
  /** Notified whether the active template of a kind could be used. */
  readonly alarm: {
    works(kind: TemplateKind): void;
    failed(kind: TemplateKind, active: ReadTemplate | undefined, error: unknown): void;
  };
  readonly productName: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
}

/** The template used for an email: its ID, or `shipped`. */
export interface UsedTemplate {
  readonly kind: TemplateKind;
  readonly template: string;
}

/** An email's text, and the template it came from, if any. */
export interface RenderedMail {
  readonly text: MailText;
  readonly used?: UsedTemplate;
}

/** Writes emails from the active template of their kind, or from the shipped one. */
export class MailRenderer {
  readonly #deps: Deps;
  readonly #readActive: (kind: TemplateKind) => Promise<ReadTemplate | undefined>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#readActive = shareTemplateReads((kind) => readActive(kind, deps));
  }

  /** A broken template never blocks an email: the shipped text is sent, and the alarm is raised. */
  async write(kind: MailKind, facts: MailFacts): Promise<RenderedMail> {
    const { publicUrl, alarm } = this.#deps;
    const shipped = () => shippedMail(kind, facts, publicUrl);
    if (!isTemplateKind(kind)) return { text: shipped() };
    let active: ReadTemplate | undefined;
    try {
      active = await this.#readActive(kind);
      if (!active) {
        alarm.works(kind);
        return { text: shipped(), used: { kind, template: "shipped" } };
      }
      const text = await this.#render(kind, active, valuesOf(kind, facts, publicUrl), facts.url);
      alarm.works(kind);
      return { text, used: { kind, template: active.id } };
    } catch (error) {
      alarm.failed(kind, active, error);
      return { text: shipped(), used: { kind, template: "shipped" } };
    }
  }

  /** Renders a template at a revision with sample data. @returns undefined if it can't be read or rendered. */
  async writeTest(kind: string, revision: number): Promise<MailText | undefined> {
    if (!isTemplateKind(kind)) return undefined;
    const { productName, publicUrl } = this.#deps;
    const tested = await readTested(kind, revision, this.#deps);
    if (!tested) return undefined;
    const values = { ...sampleValues(kind, productName), site_url: publicUrl };
    try {
      const text = await this.#render(kind, tested, values, `${publicUrl}/`);
      return { ...text, subject: `Test: ${text.subject}` };
    } catch {
      return undefined;
    }
  }

  async #render(
    kind: TemplateKind,
    { text: { subject, body } }: ReadTemplate,
    values: TemplateValues,
    url: string,
  ): Promise<MailText> {
    const words: RenderedText = await this.#deps.renderer.render({ subject, body }, values);
    const { subject: rendered, ...parts } = words;
    return { subject: rendered, rendered: parts, ...fixedParts(kind, values, url) };
  }
}

/** Batches key reads of emails written together into one statement, which starts only after each call it serves. */
export function shareKeyReads(keys: Pick<KeyStore, "get">): Pick<KeyStore, "get"> {
  const reads = new Coalescer(
    async (
      calls: readonly (readonly string[])[],
    ): Promise<readonly ReadonlyMap<string, KeyLookup>[]> => {
      const found = await keys.get([...new Set(calls.flat())]);
      return calls.map(
        (subjects) => new Map(subjects.map((each) => [each, found.get(each) as KeyLookup])),
      );
    },
  );
  return { get: (subjects) => reads.add(subjects) };
}

type ReadKind = (kind: TemplateKind) => Promise<ReadTemplate | undefined>;

/** Shares one read of a kind's active template among waiting emails. It starts only after each call it serves. */
export function shareTemplateReads(read: ReadKind): ReadKind {
  const kinds = new Map<TemplateKind, Coalescer<undefined, ReadTemplate | undefined>>();
  return (kind) => {
    const known = kinds.get(kind);
    const reads =
      known ??
      new Coalescer<undefined, ReadTemplate | undefined>(async (calls) => {
        const active = await read(kind);
        return calls.map(() => active);
      });
    if (!known) kinds.set(kind, reads);
    return reads.add(undefined);
  };
}
