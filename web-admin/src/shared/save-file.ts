/** Saves a file that is here already. */
export function saveFile(content: Blob, name: string): void {
  // Never opened as a page, whatever is in it.
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
