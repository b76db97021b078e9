import type { Kind } from '../../../shared/model/kinds.ts';
import type { ShownLimits } from '../../../shared/profile/document-limits.ts';

/** Longest text of a field in code points, for counters as the deployment has it; null where none is shown. */
export function lengthLimit({ sba }: ShownLimits, kind: Kind, field: string): number | null {
  if (kind !== 'sbaProfile') return null;
  if (field === 'brand') return sba.brandMax;
  return field === 'headline' ? sba.headlineMax : null;
}
