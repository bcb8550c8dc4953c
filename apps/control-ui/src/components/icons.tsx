import type { ComponentChildren } from "preact";

/** Sign of the product. */
export function BrandMark({ size = 18 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 18 18"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="2.4"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <path d="M14.6 4.6A6.6 6.6 0 1 0 15 13" />
      <path d="M14.8 4.5 10.2 8.3" />
    </svg>
  );
}

/** Drawings of 16 by 16, by name. */
const DRAWINGS = {
  search: (
    <>
      <circle cx="7" cy="7" r="4.2" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
    </>
  ),
  back: <path d="M10 3.5 5.5 8l4.5 4.5" />,
  now: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <path d="M8 4.8V8l2.2 1.6" />
    </>
  ),
  approvals: <path d="M8 2.2 13.8 8 8 13.8 2.2 8Z" />,
  sessions: <path d="M2.5 4h11M2.5 8h11M2.5 12h7" />,
  chat: <path d="M2.500 3.500h11v7.500H7.500L4.500 13.500V11h-2z" />,
  runs: <path d="M2.500 4h6M5 8h7.500M4 12h4.500" />,
  plugins: <path d="M6 2.500v3H3.500v8h9v-8H10v-3M6 2.500h4" />,
  settings: <path d="M2.500 4.500h7M12.500 4.500h1M2.500 11.500h1M6.500 11.500h7M11 3v3M5 10v3" />,
  usage: <path d="M3 13V9M8 13V3M13 13V6" />,
  channels: <path d="M2.5 4h8v6h-5L2.5 12.500zM7 12.500h5l1.500 1.500V6.500" />,
  policy: <path d="M8 2.2 13 4v4c0 3-2.200 5-5 6-2.800-1-5-3-5-6V4z" />,
  attach: (
    <path d="m13 7.500-5.200 5.200a3 3 0 0 1-4.300-4.300l5.600-5.600a2 2 0 0 1 2.900 2.900l-5.600 5.500a1 1 0 0 1-1.400-1.400L10 4.800" />
  ),
  microphone: (
    <>
      <rect x="6" y="2" width="4" height="7" rx="2" />
      <path d="M3.500 7.500a4.500 4.500 0 0 0 9 0M8 12v2" />
    </>
  ),
  send: <path d="M8 13V3.400M4 7.200l4-4 4 4" />,
  more: <path d="M2.5 5h11M2.5 11h11" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1" />
      <path d="M10.500 3.500v-1h-8v8h1" />
    </>
  ),
} satisfies Record<string, ComponentChildren>;

/** Name of a drawing. */
export type IconName = keyof typeof DRAWINGS;

/** Decorative drawing; the control beside it has the word. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {DRAWINGS[name]}
    </svg>
  );
}
