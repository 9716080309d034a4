/** A short message that comes by itself and goes by itself. */
export interface Toast {
  readonly id: number;
  readonly kind: "info" | "warning";
  readonly title?: string;
  readonly text: string;
}

type Listener = () => void;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<Listener>();

function publish(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** How long a toast stays, in milliseconds: long enough to be read twice. */
export const TOAST_MS = 8_000;

/** Shows a toast; one with the same text, still there, is replaced. */
export function showToast(toast: Omit<Toast, "id">): void {
  const id = nextId++;
  publish([...toasts.filter((other) => other.text !== toast.text), { ...toast, id }]);
  setTimeout(() => dismissToast(id), TOAST_MS);
}

export function dismissToast(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

/** Takes away every toast of a kind. */
export function dismissToasts(kind: Toast["kind"]): void {
  publish(toasts.filter((toast) => toast.kind !== kind));
}

export function subscribeToasts(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToasts(): readonly Toast[] {
  return toasts;
}
