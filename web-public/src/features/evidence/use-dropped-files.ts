import { useEffect, useState } from "react";

/**
 * Files that are pasted or dropped anywhere on the page. A file that is dropped beside the form would
 * otherwise replace the page, and with it what was typed.
 * @returns whether a file is held over the page.
 */
export function useDroppedFiles(add: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const holdsFiles = (transfer: DataTransfer | null) =>
      transfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      setIsOver(false);
      add([...(event.dataTransfer?.files ?? [])]);
    };
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      // A copied table is a picture as well, but in a field its text is meant.
      const isText = event.clipboardData?.types.includes("text/plain") ?? false;
      if (files.length === 0 || (isText && isField(event.target))) return;
      event.preventDefault();
      add(files);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
      document.removeEventListener("paste", paste);
    };
  }, [add]);
  return isOver;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
