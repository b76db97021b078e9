import { requireWrite } from '../access.ts';
import { fieldOf, isFields, parseId } from '../fields.ts';
import { limits } from '../limits.ts';
import { findAdGroup, findCampaign } from '../lookups.ts';
import { messages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { UploadedFile, UploadForm } from '../wire/multipart.ts';
import { failure, type Result, success } from '../wire/results.ts';
import { type Call, create, type Route } from '../wire/route.ts';
import { readPngSize } from './png.ts';
import { logoPath } from './sba-fields.ts';
import { findProfile, requireLogoChangeable, resetProfileReview } from './sba-update.ts';

/**
 * "Upload logo: POST /api/v2/sba_profile_image_upload". The upload enforces PNG and 1024 Kb; that the picture is
 * 100 x 100 px and at most 200 Kb is a content rule, which the review judges. Its list of refusals is shorter than that
 * of the update: a profile that is not in the group fails the validation of its id.
 */
export const sbaLogoRoutes: readonly Route[] = [
  { ...create('/api/v2/sba_profile_image_upload', uploadLogo), body: 'form' },
];

/** The document spells the name of the JSON part in two ways, in its text and in its table of parameters. */
const PART_NAMES = ['SBABaseProfileRequest', 'sbaBaseProfileRequest'] as const;
const FILE_NAME = 'file';

function uploadLogo(service: Service, call: Call): readonly Result[] {
  const { form } = call;
  const { logoPart } = service.settings.quirks;
  const partName = PART_NAMES.find((name) => (logoPart === 'either' || name === logoPart) && form?.texts.has(name));
  const problem = judgeForm(form, partName);
  if (problem !== null || form === null || form.file === null || partName === undefined) {
    return [failure('sbaProfileId', problem ?? messages.missingFile)];
  }
  const ids = readIds(form.texts.get(partName) ?? '');
  requireLogoFile(form.file);
  const campaign = findCampaign(service, ids.campaignId);
  const group = findAdGroup(service, ids.adGroupId);
  // The one 404 of this call; an ad group of another campaign is none of this one.
  if (campaign === undefined || group?.campaign_id !== campaign.campaign_id) {
    throw new Refusal(404, messages.adGroupNotFound);
  }
  const profile = findProfile(service, ids.adGroupId, ids.sbaProfileId);
  if (campaign.campaign_type === 'sba' && profile === undefined) throw new Refusal(400, messages.sbaProfileIdInvalid);
  requireWrite(call.principal, campaign.advertiser_id, 'sba');
  if (campaign.campaign_type === 'sponsoredProducts') throw new Refusal(422, messages.mediaWrongCampaignType);
  if (profile === undefined) throw new Refusal(422, messages.useMediaEndpoints);
  requireLogoChangeable(service, campaign, profile);
  if (readPngSize(form.file.bytes) === null) return [failure('sbaProfileId', messages.imageNotUploadable)];
  service.store.run(
    'UPDATE sba_profile SET logo = ?, logo_url = ? WHERE sba_profile_id = ?',
    form.file.bytes,
    logoPath(profile.sba_profile_id),
    profile.sba_profile_id,
  );
  resetProfileReview(service, profile.sba_profile_id);
  return [success('sbaProfileId', profile.sba_profile_id)];
}

/** "200 (with message)": what is wrong with the form as such. */
function judgeForm(form: UploadForm | null, partName: string | undefined): string | null {
  if (form === null || !form.wellFormed) return messages.invalidUpload;
  if (form.file?.field !== FILE_NAME) return messages.missingFile;
  return partName === undefined ? messages.missingFormPart : null;
}

function readIds(text: string) {
  if (text.trim() === '') throw new Refusal(400, messages.emptyInputSba);
  const fields = parsePart(text);
  const idOf = (name: string, message: string): number => {
    const value = fieldOf(fields, name);
    const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
    const id = /^[1-9]\d{0,19}$/.test(digits) ? parseId(digits) : null;
    if (id === null) throw new Refusal(400, message);
    return id;
  };
  return {
    campaignId: idOf('campaignId', messages.campaignIdInvalid),
    adGroupId: idOf('adGroupId', messages.adGroupIdInvalid),
    sbaProfileId: idOf('sbaProfileId', messages.sbaProfileIdInvalid),
  };
}

function parsePart(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch {
    // No JSON: answered below like JSON of the wrong kind.
  }
  throw new Refusal(400, messages.invalidParameters);
}

function requireLogoFile(file: UploadedFile): void {
  if (file.name === '') throw new Refusal(400, messages.fileNameEmpty);
  if (file.bytes.length > limits.logoUploadMaxBytes) {
    throw new Refusal(400, messages.fileTooLarge(limits.logoUploadMaxBytes / 1024));
  }
  if (file.contentType.toLowerCase() !== 'image/png') throw new Refusal(400, messages.logoNotPng);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  if (!file.bytes.subarray(0, 8).equals(signature)) throw new Refusal(400, messages.logoTypeMismatch);
}
