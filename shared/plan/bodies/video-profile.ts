import type { Row } from '../../model/row.ts';
import type { WireValue } from '../plan-types.ts';
import { type Built, idOf } from './wire.ts';

/** `POST /api/v1/adGroup/media`. Created enabled (document, "States and transitions"). */
export function videoCreate(
  row: Row<'videoProfile'>,
  campaign: Row<'campaign'>,
  group: Row<'adGroup'>,
  media: WireValue,
  advertiserId: string,
): Built {
  const body = {
    advertiserId: { num: advertiserId },
    campaignId: idOf(campaign),
    adGroupId: idOf(group),
    mediaId: media,
  };
  return { body, sent: { video: row.values.video, status: 'enabled' } };
}

/** `PUT /api/v1/adGroup/media` (extension). */
export function videoUpdate(
  row: Row<'videoProfile'>,
  campaign: Row<'campaign'>,
  group: Row<'adGroup'>,
  media: WireValue,
  advertiserId: string,
): Built {
  const status = row.values.status ?? 'enabled';
  const body = {
    advertiserId: { num: advertiserId },
    campaignId: idOf(campaign),
    adGroupId: idOf(group),
    adGroupMediaId: idOf(row),
    mediaId: media,
    status,
  };
  return { body, sent: { video: row.values.video, status } };
}
