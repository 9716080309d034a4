/** Saves content as a file, using the browser's download. */
export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the URL a little later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
