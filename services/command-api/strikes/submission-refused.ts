import { DomainError } from "#contracts/domain-error.ts";

/** Says neither why nor until when: the mail that its owner got does. */
export function submissionRefused(): DomainError {
  return new DomainError(
    "submission_refused",
    "We accept no reports from you at the moment. If you think this is a mistake, please write to us.",
  );
}
