/** Saves a blob as a file on the user's device. */
export function saveFile(content: Blob, name: string): void {
  // With this type, it is never opened as a page, regardless of its content.
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
