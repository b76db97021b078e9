import type { RemoteId } from '../../shared/model/scalars.ts';
import { classify } from './classify.ts';
import type { Http } from './http.ts';
import { isMissingFormParam } from './known-refusals.ts';
import type { Outcome } from './outcome.ts';

/** The two spellings of the form field that the document shows (document, "Upload logo"). */
export const LOGO_FIELDS = ['SBABaseProfileRequest', 'sbaBaseProfileRequest'] as const;
export type LogoField = (typeof LOGO_FIELDS)[number];

export interface LogoUpload {
  readonly campaignId: RemoteId;
  readonly adGroupId: RemoteId;
  readonly sbaProfileId: RemoteId;
  readonly png: Uint8Array<ArrayBuffer>;
  readonly correlationId: string;
}

/**
 * Uploads the logo of one profile as a multipart form: the JSON text part and the picture under a fixed file
 * name, so that no name of the user's can break a part header.
 *
 * The service says `Missing form param` before it looks at anything else, so trying the other spelling repeats
 * nothing.
 *
 * @param first the spelling that worked the last time
 * @returns the outcome, and the spelling it was reached with
 */
export async function uploadLogo(
  http: Http,
  logo: LogoUpload,
  first: LogoField,
): Promise<{ readonly outcome: Outcome; readonly field: LogoField }> {
  const outcome = await attempt(http, logo, first);
  if (!asksForOtherSpelling(outcome)) return { outcome, field: first };
  const second = first === LOGO_FIELDS[0] ? LOGO_FIELDS[1] : LOGO_FIELDS[0];
  return { outcome: await attempt(http, logo, second), field: second };
}

/** The message comes alone or as the failure of the one element (document, "SBA logo upload (V2)", 200). */
function asksForOtherSpelling(outcome: Outcome): boolean {
  if (outcome.class === 'REFUSED') return isMissingFormParam(outcome.message);
  if (outcome.class !== 'ELEMENTS') return false;
  const [element] = outcome.elements;
  return element?.is === 'rejected' && isMissingFormParam(element.message);
}

async function attempt(http: Http, logo: LogoUpload, field: LogoField): Promise<Outcome> {
  const form = new FormData();
  const { campaignId, adGroupId, sbaProfileId } = logo;
  form.set(field, `{"campaignId":${campaignId},"adGroupId":${adGroupId},"sbaProfileId":${sbaProfileId}}`);
  form.set('file', new Blob([logo.png], { type: 'image/png' }), 'logo.png');
  const seen = await http.exchange({
    method: 'POST',
    path: '/api/v2/sba_profile_image_upload',
    body: form,
    correlationId: logo.correlationId,
  });
  return classify(seen, { elements: 1, idNames: ['sbaProfileId'], needsId: false, isTaken: () => false }, http.nowMs());
}
