/** A `ref` that focuses its element on mount, for elements that replace a pressed button. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
