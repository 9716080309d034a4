/**
 * The product's logo: a ruled sheet with one line struck out. The favicon shows the same drawing.
 */
export function ProductMark() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect width="24" height="24" rx="5" fill="currentColor" />
      <path
        d="M6 7.5h12M6 12h7M6 16.5h12"
        stroke="var(--color-ink-inverse)"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <circle cx="17" cy="12" r="1.75" fill="#d99a2b" />
    </svg>
  );
}
