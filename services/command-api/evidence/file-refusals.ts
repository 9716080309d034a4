import { DomainError } from "#contracts/domain-error.ts";
import { FileTooLarge } from "#files/port.ts";
import { messages } from "#http/errors.ts";
import { FileRefused, PicturesBusy } from "#pictures/pictures.ts";
import { fileTooLarge } from "./receiving.ts";

/** What a caller is told of a file that cannot be taken; other errors as they are. */
export function refusalOfFile(error: unknown): unknown {
  if (error instanceof FileRefused) return new DomainError("file_refused", error.message);
  if (error instanceof FileTooLarge) return fileTooLarge();
  if (error instanceof PicturesBusy) return new DomainError("unavailable", messages.unavailable);
  return error;
}
