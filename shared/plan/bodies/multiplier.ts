import type { Row } from '../../model/row.ts';
import type { DeploymentProfile } from '../../profile/profile.ts';
import { amount, type Built, idOf, withoutNulls } from './wire.ts';

/** `POST` and `PUT /api/v1/multipliers/placement`: the pair of campaign and placement is the key. */
export function placementBody(row: Row<'placementMultiplier'>, campaign: Row<'campaign'>): Built {
  const { placement, multiplier } = row.values;
  const body = withoutNulls({
    campaignId: idOf(campaign),
    placementType: placement,
    multiplier: amount(multiplier),
  });
  return { body, sent: { placement, multiplier } };
}

/**
 * `POST` and `PUT /api/v1/multipliers/platform`.
 *
 * @param member what the deployment calls the platform in this call
 */
export function platformBody(
  row: Row<'platformMultiplier'>,
  campaign: Row<'campaign'>,
  member: DeploymentProfile['multiplier']['platformMember'],
): Built {
  const { platform, multiplier } = row.values;
  const body = withoutNulls({ campaignId: idOf(campaign), [member]: platform, multiplier: amount(multiplier) });
  return { body, sent: { platform, multiplier } };
}
