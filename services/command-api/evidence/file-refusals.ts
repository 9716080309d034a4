import { DomainError } from "#contracts/domain-error.ts";
import { FileTooLarge } from "#files/port.ts";
import { messages } from "#http/errors.ts";
import { FileRefused, PicturesBusy } from "#pictures/pictures.ts";
import { FileInfected, ScannerAway } from "./clamav.ts";
import { fileTooLarge } from "./file-content.ts";

/** What a caller is told of a file that cannot be taken; other errors as they are. */
export function refusalOfFile(error: unknown): unknown {
  if (error instanceof FileRefused) return new DomainError("file_refused", error.message);
  if (error instanceof FileTooLarge) return fileTooLarge();
  if (error instanceof FileInfected)
    return new DomainError(
      "file_refused",
      "Our virus scanner found something harmful in this file, so it was not taken. Please send another copy, for instance a picture of it.",
    );
  if (error instanceof ScannerAway)
    return new DomainError(
      "unavailable",
      "Files cannot be checked for viruses right now, so this one was not taken. Please try again in a moment, or submit without it.",
    );
  if (error instanceof PicturesBusy) return new DomainError("unavailable", messages.unavailable);
  return error;
}
