interface Toast {
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

/** Milliseconds that a toast is shown: long enough to read it twice. */
const TOAST_MS = 8_000;

/** Shows a toast, replacing a visible one with the same text. */
export function showToast(toast: Omit<Toast, "id">): void {
  const id = nextId++;
  publish([...toasts.filter((other) => other.text !== toast.text), { ...toast, id }]);
  setTimeout(() => dismissToast(id), TOAST_MS);
}

export function dismissToast(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

/** Removes all toasts of a kind. */
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
