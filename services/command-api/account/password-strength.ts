import { createRequire } from "node:module";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import type * as Common from "@zxcvbn-ts/language-common";
import type * as English from "@zxcvbn-ts/language-en";
import {
  PASSWORD_STAFF,
  passwordProblem,
  STAFF_PASSWORD_MIN,
} from "#contracts/account/password-rule.ts";
import type { Role } from "#contracts/http/account.ts";
import { invalidRequest } from "#http/validation.ts";

/** From 0 to 4. A password with a score of 2 is guessed in fewer than 100 million tries. */
const MIN_SCORE = 3;
/** Maximum length to estimate, and number of substitutions such as "@" for "a" to try: both bound the CPU time. */
const BOUNDS = { maxLength: 32, l33tMaxSubstitutions: 10 } as const;
/** Shorter parts of a name are ignored. */
const MIN_LETTERS = 3;

/** The owner of a password; what is known about them is guessed first. */
export interface PasswordOwner {
  readonly role: Role;
  readonly email: string;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly phone?: string | undefined;
  readonly company?: string | undefined;
  readonly website?: string | undefined;
}

/** Created lazily: its dictionaries take 100 ms and 60 MB. */
let estimator: ZxcvbnFactory | undefined;

/** Checks every new password: at registration, on a change or reset, and in the operator's commands. */
export class PasswordStrength {
  readonly #productName: string;

  constructor(productName: string) {
    this.#productName = productName;
  }

  /** @throws {DomainError} `invalid_request`, with the problem of the field `password`. */
  refuse(password: string, owner: PasswordOwner): void {
    const problem = this.problem(password, owner);
    if (problem) throw invalidRequest({ password: problem });
  }

  /**
   * Explains what is wrong with a password; undefined if nothing is. The dictionaries are too large for the
   * browser.
   */
  problem(password: string, { role, ...owner }: PasswordOwner): string | undefined {
    const problem = passwordProblem(password);
    if (problem) return problem;
    if (role !== "user" && [...password].length < STAFF_PASSWORD_MIN) return PASSWORD_STAFF;
    estimator ??= makeEstimator();
    const { email, first_name = "", last_name = "", phone, company, website } = owner;
    const names = [`${first_name} ${last_name}`, `${last_name} ${first_name}`, last_name];
    const known = [this.#productName, email, ...names, phone, company, website];
    const estimated = password.normalize("NFKC").slice(0, BOUNDS.maxLength);
    const { score, feedback } = estimator.check(estimated, known.flatMap(wordsOf));
    if (score >= MIN_SCORE) return undefined;
    const { warning, suggestions } = feedback;
    return [warning ?? "This password is too easy to guess.", ...suggestions].join(" ");
  }
}

const load = createRequire(import.meta.url);

function makeEstimator(): ZxcvbnFactory {
  const common: typeof Common = load("@zxcvbn-ts/language-common");
  const { dictionary, translations }: typeof English = load("@zxcvbn-ts/language-en");
  const userInputs = "Don't use your name, your email address or the name of this site.";
  return new ZxcvbnFactory({
    ...BOUNDS,
    dictionary: { ...common.dictionary, ...dictionary },
    graphs: common.adjacencyGraphs,
    translations: { ...translations, warnings: { ...translations.warnings, userInputs } },
  });
}

/** Splits a name or address into words, and adds them joined. */
function wordsOf(known: string | undefined): string[] {
  const words = known?.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const joined = words.length > 1 ? ["", "-", "_", ".", " "].map((sign) => words.join(sign)) : [];
  return [...words, ...joined].filter((word) => word.length >= MIN_LETTERS);
}
