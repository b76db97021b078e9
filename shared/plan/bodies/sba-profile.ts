import { canonicalClickUrl } from '../../model/click-url.ts';
import type { Row } from '../../model/row.ts';
import type { DeploymentProfile } from '../../profile/profile.ts';
import { type Built, idOf, withoutNulls } from './wire.ts';

type Values = Row<'sbaProfile'>['values'];
type Encoding = DeploymentProfile['sba']['clickUrlEncoding'];

/**
 * `POST /api/v2/sba_profile`. The call takes no status: the first profile it creates is enabled, its others
 * are not (wire shapes, section 5), so that is what the row will hold.
 */
export function sbaCreate(
  row: Row<'sbaProfile'>,
  campaign: Row<'campaign'>,
  group: Row<'adGroup'>,
  isFirst: boolean,
  encoding: Encoding,
): Built {
  const { brand, headline, clickUrl } = row.values;
  const body = withoutNulls({
    campaignId: idOf(campaign),
    adGroupId: idOf(group),
    searchAmpName: brand,
    headlineText: headline,
    clickUrl: onWire(clickUrl, encoding),
  });
  // A profile is created without a logo; naming that here keeps the logo a change until its own upload is done.
  return { body, sent: { brand, headline, clickUrl, logo: null, status: isFirst ? 'enabled' : 'disabled' } };
}

/**
 * `PUT /api/v2/sba_profile`: all fields, always, so that an edit of one never resets another. On a campaign
 * that is scheduled or live the service refuses content and enabling in one request (document, "SBA update"):
 * then the content travels with the old status and the enabling stays a change.
 */
export function sbaUpdate(
  row: Row<'sbaProfile'>,
  campaign: Row<'campaign'>,
  group: Row<'adGroup'>,
  keepStatus: boolean,
  encoding: Encoding,
): Built {
  const { brand, headline, clickUrl }: Values = row.values;
  const status = (keepStatus ? row.base?.status : row.values.status) ?? 'enabled';
  const body = {
    campaignId: idOf(campaign),
    adGroupId: idOf(group),
    sbaProfileId: idOf(row),
    searchAmpName: brand ?? '',
    headlineText: headline ?? '',
    clickUrl: onWire(clickUrl, encoding) ?? '',
    status,
  };
  return { body, sent: { brand, headline, clickUrl, status } };
}

/** The JSON part of `POST /api/v2/sba_profile_image_upload`; the picture itself is the row's logo. */
export function logoUpload(row: Row<'sbaProfile'>, campaign: Row<'campaign'>, group: Row<'adGroup'>): Built {
  const body = { campaignId: idOf(campaign), adGroupId: idOf(group), sbaProfileId: idOf(row) };
  return { body, sent: { logo: row.values.logo } };
}

/** The address as the deployment takes it. What was typed stays the row's; both forms are one address to a merge. */
const onWire = (url: string | null, encoding: Encoding): string | null =>
  url === null ? null : encoding === 'document' ? canonicalClickUrl(url).url : url.trim();
