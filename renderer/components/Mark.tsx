/** The logo: an A with a cell as its crossbar. `icon.svg` has the same shapes for the system. */
export function Mark({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 96 96" aria-hidden="true">
      <rect width="96" height="96" rx="22" fill="#1b2a4b" />
      <path
        d="M24 75 43.6 25.6a4.7 4.7 0 0 1 8.8 0L72 75"
        fill="none"
        stroke="#fff"
        strokeWidth="9.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <rect x="37" y="52" width="22" height="15" rx="4" fill="#7fa3ff" />
    </svg>
  );
}
