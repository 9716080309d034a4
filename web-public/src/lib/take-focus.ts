/** A `ref` of what takes the focus when it appears, because what was pressed is gone. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
