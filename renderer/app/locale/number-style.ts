/** How a language writes numbers: its marks and its ten digits. */
export interface NumberStyle {
  /** Between whole and part: `.` or `,`, in Arabic `٫`. */
  readonly decimal: string;
  /** Between thousands: `,`, `.`, `’`, or a blank that does not break. */
  readonly group: string;
  /** From zero to nine. */
  readonly digits: readonly string[];
}

/** The style as the platform knows it; marks are the same for every size of number. */
export function numberStyleOf(tag: string): NumberStyle {
  const parts = new Intl.NumberFormat(tag, { minimumFractionDigits: 1 }).formatToParts(1_234_567.5);
  const mark = (type: 'decimal' | 'group', usual: string): string =>
    parts.find((part) => part.type === type)?.value ?? usual;
  const plain = new Intl.NumberFormat(tag, { useGrouping: false });
  return {
    decimal: mark('decimal', '.'),
    group: mark('group', ''),
    digits: Array.from({ length: 10 }, (_, digit) => plain.format(digit)),
  };
}
