import type { Kind } from '../../../shared/model/kinds.ts';
import { DeploymentProfile } from '../../../shared/profile/profile.ts';

const { sba } = DeploymentProfile.parse({});

/** Longest text of a field in code points, for counters (document, "Limits"); null where none is shown. */
export function lengthLimit(kind: Kind, field: string): number | null {
  if (kind !== 'sbaProfile') return null;
  if (field === 'brand') return sba.brandMax;
  return field === 'headline' ? sba.headlineMax : null;
}
