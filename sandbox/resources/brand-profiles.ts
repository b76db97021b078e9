import { type Family, requireRead, requireWrite } from '../access.ts';
import { findOpenReview } from '../campaign-states.ts';
import {
  type Fields,
  fieldOf,
  isFields,
  parseId,
  queryId,
  readElements,
  readId,
  readText,
  readWord,
  required,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import { PNG_SIGNATURE, readPngSize } from '../pictures.ts';
import type { Service } from '../service.ts';
import {
  type AdGroupRow,
  type CampaignRow,
  type Column,
  type ContentColumn,
  columnsOf,
  contentColumns,
  type SbaProfileRow,
  showRow,
} from '../tables.ts';
import { failure, type Result, success } from '../wire/handle-call.ts';
import type { UploadedFile, UploadForm } from '../wire/multipart.ts';
import { type Call, create, type Route, read, update } from '../wire/route.ts';

/** "SBA profiles (V2)": list, create, update and the logo; and the V1 create of the workflows. */
export const brandProfileRoutes: readonly Route[] = [
  read('/api/v2/sba_profile', listSbaProfiles),
  create('/api/v2/sba_profile', createSbaProfiles),
  create('/api/v1/sba_profile', createSbaProfileV1),
  update('/api/v2/sba_profile', updateSbaProfiles),
  { ...create('/api/v2/sba_profile_image_upload', uploadLogo), body: 'form' },
];

function listSbaProfiles(service: Service, call: Call): readonly unknown[] {
  const campaignText = call.query.get('campaignId');
  const campaignId =
    campaignText === null ? null : required(parseId(campaignText), 'campaignId', messages.campaignIdMissing);
  const adGroupId = required(queryId(call.query, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing);
  const { campaign } = findGroupOfCampaign(service, campaignId, adGroupId);
  requireRead(call.principal, campaign.advertiser_id, 'sba');
  if (campaign.campaign_type === 'video') throw new Refusal(422, messages.useMediaEndpoints);
  const profiles = listProfiles(service, adGroupId).map((row) => showProfile(service, row));
  return orNotFound(service, profiles, messages.sbaProfileNotFound);
}

/** A list of an ad group, which a service may refuse when it is empty. */
export function orNotFound<T>({ settings }: Service, list: readonly T[], message: string): readonly T[] {
  if (list.length === 0 && settings.quirks.none === 'not-found') throw new Refusal(404, message);
  return list;
}

function createSbaProfiles(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    ...readGroupIds(fields),
    content: readSbaContent(fields),
  }));
  const wanted = findWritableGroups(service, call, elements, 'sba');
  requireSbaPlaces(service, wanted);
  const created = new Set<number>();
  return wanted.map(({ adGroupId, content, ...place }) => {
    const problem = judgeSbaContent(service, content);
    if (problem !== null) return failure('sbaProfileId', problem);
    // "The first profile created is enabled": the first one of this request in the group; the others are disabled.
    const status = created.has(adGroupId) ? 'disabled' : 'enabled';
    created.add(adGroupId);
    return success('sbaProfileId', insertProfile(service, place, content, '', status));
  });
}

/** Checks type, open review and free places of every group in the batch, before any element is written. */
function requireSbaPlaces(service: Service, groups: readonly GroupOfCall[]): void {
  for (const { campaign } of groups) requireSbaCampaign(campaign);
  for (const { group } of groups) {
    if (findOpenReview(service, group.ad_group_id) !== undefined) throw new Refusal(422, messages.underReviewAdd);
  }
  for (const { group } of groups) {
    const wanted = groups.filter((other) => other.group.ad_group_id === group.ad_group_id).length;
    if (listProfiles(service, group.ad_group_id).length + wanted > limits.sbaMaxProfiles) {
      throw new Refusal(422, messages.tooManySbaProfiles(limits.sbaMaxProfiles));
    }
  }
}

function requireSbaCampaign(campaign: CampaignRow): void {
  if (campaign.campaign_type !== 'sba') {
    throw new Refusal(422, messages.sbaWrongCampaignType(campaign.campaign_type));
  }
}

/** V1: the campaign is derived from the ad group, the logo is an address, and there is one profile per campaign. */
function createSbaProfileV1(service: Service, call: Call): unknown {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => ({
    ...readGroup(fields),
    logoUrl: readText(fields, 'logoUrl') ?? '',
    content: readSbaContent(fields, 'brandName'),
  }));
  const profiles = findWritableGroups(service, call, elements, 'sba');
  for (const { campaign, group } of profiles) {
    requireSbaCampaign(campaign);
    if (findOpenReview(service, group.ad_group_id) !== undefined) throw new Refusal(422, messages.underReviewAdd);
    const wanted = profiles.filter((other) => other.group.ad_group_id === group.ad_group_id).length;
    const present = listProfiles(service, group.ad_group_id).length;
    if (present > 1 || wanted > 1) throw new Refusal(422, messages.useV2);
    if (present === 1) throw new Refusal(422, messages.sbaAlreadyDefined);
  }
  return profiles.map(({ content, logoUrl, ...place }) => {
    const problem = judgeSbaContent(service, content);
    if (problem !== null) return failure('sbaProfileId', problem);
    return success('sbaProfileId', insertProfile(service, place, content, logoUrl, 'enabled'), { status: 'pending' });
  });
}

function insertProfile(
  service: Service,
  { campaign, group }: GroupOfCall,
  content: SbaContent,
  logoUrl: string,
  status: 'enabled' | 'disabled',
): number {
  return service.store.insert('sba_profile', {
    ...content,
    campaign_id: campaign.campaign_id,
    ad_group_id: group.ad_group_id,
    logo_url: logoUrl,
    status,
    review_status: 'pending',
  });
}

/** Shared by the SBA operations: finding the group, the content rules, and the returned record. */
export interface GroupOfCall {
  readonly campaign: CampaignRow;
  readonly group: AdGroupRow;
}

/** "SBA list/create/update": checks the campaign first, then the ad group; 404 for either. */
export function findGroupOfCampaign(service: Service, campaignId: number | null, adGroupId: number): GroupOfCall {
  if (campaignId !== null && service.store.find('campaign', campaignId) === undefined) {
    throw new Refusal(404, messages.campaignNotFound);
  }
  const group = service.store.find('ad_group', adGroupId);
  const campaign = service.store.find('campaign', group?.campaign_id ?? null);
  if (group === undefined || campaign === undefined) throw new Refusal(404, messages.adGroupNotFound);
  if (campaignId !== null && campaign.campaign_id !== campaignId) throw new Refusal(404, messages.adGroupNotFound);
  return { campaign, group };
}

/** The groups of a batch's elements; refuses the call unless the caller may change all of them. */
export function findWritableGroups<E extends ReturnType<typeof readGroup>>(
  service: Service,
  { principal }: Call,
  elements: readonly E[],
  family: Family,
): readonly (E & GroupOfCall)[] {
  const found = elements.map((element) => ({
    ...element,
    ...findGroupOfCampaign(service, element.campaignId, element.adGroupId),
  }));
  for (const { campaign } of found) requireWrite(principal, campaign.advertiser_id, family);
  return found;
}

/** An ad group; its campaign is derived from it if the element does not have one. */
export const readGroup = (fields: Fields) => ({
  campaignId: readId(fields, 'campaignId'),
  adGroupId: required(readId(fields, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing),
});

function readGroupIds(fields: Fields): { readonly campaignId: number; readonly adGroupId: number } {
  const campaignId = required(readId(fields, 'campaignId'), 'campaignId', messages.campaignIdMissing);
  return { ...readGroup(fields), campaignId };
}

/** A required integer ID; 400 for anything else. */
function readValidId(fields: Fields, name: string, invalid: string): number {
  const value = fieldOf(fields, name);
  const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const id = /^[1-9]\d{0,19}$/.test(digits) ? parseId(digits) : null;
  if (id === null) throw new Refusal(400, invalid);
  return id;
}

/** The texts of a profile: the content columns (`tables.ts`). */
export type SbaContent = Readonly<Record<ContentColumn<'sba_profile'>, string>>;
const contents = contentColumns('sba_profile');

const eachText = <T>(read: (text: (typeof contents)[number]) => T) =>
  Object.fromEntries(contents.map((text) => [text[0], read(text)])) as Record<keyof SbaContent, T>;

export const contentOf = (row: Readonly<Record<string, unknown>>): SbaContent =>
  eachText(([name]) => String(row[name]));

/** A text under any of its names in the request. */
function readContentText(fields: Fields, { member, also }: Column): string | null {
  for (const name of [member, ...also]) {
    const text = name === null ? null : readText(fields, name);
    if (text !== null) return text;
  }
  return null;
}

/**
 * Texts with the names of V2, or of the V1 operation. Missing texts are empty if the document allows it.
 *
 * @param brandName the operation's name for the brand, for the error text
 */
function readSbaContent(fields: Fields, brandName: 'searchAmpName' | 'brandName' = 'searchAmpName'): SbaContent {
  const texts = eachText(([, column]) => readContentText(fields, column));
  required(texts.search_amp_name, brandName);
  required(texts.click_url, 'clickUrl');
  return eachText(([name]) => texts[name] ?? '');
}

/** "SBA profile content rules". Lengths count characters, not UTF-16 units. */
export function judgeSbaContent(service: Service, content: SbaContent): string | null {
  const brandLength = [...content.search_amp_name.trim()].length;
  if (brandLength === 0 || [...content.search_amp_name].length > limits.brandMaxCharacters) {
    return ownMessages.brandTooLong(limits.brandMaxCharacters);
  }
  if ([...content.headline_text].length > limits.headlineMaxCharacters) {
    return ownMessages.headlineTooLong(limits.headlineMaxCharacters);
  }
  const { retailHost } = service.settings;
  return isClickUrl(content.click_url, retailHost) ? null : ownMessages.clickUrlInvalid(retailHost);
}

/** On the retail host over https, with `:`, `+` and the broken bar encoded and no typeahead parameter. */
function isClickUrl(clickUrl: string, retailHost: string): boolean {
  if (!clickUrl.startsWith(`${retailHost}/`) && clickUrl !== retailHost) return false;
  const rest = clickUrl.slice(retailHost.length);
  return !/[:+\u00a6|\s\p{Cc}]/u.test(rest) && !/(^|&)typeahead=/i.test(queryOf(rest));
}

/** The part between the first `?` and the `#`. */
const queryOf = (rest: string): string => /^[^?#]*\?([^#]*)/.exec(rest)?.[1] ?? '';

export function isSbaUsed(campaign: CampaignRow): boolean {
  return campaign.status === 'scheduled' || campaign.status === 'live';
}

export function listProfiles(service: Service, adGroupId: number): readonly SbaProfileRow[] {
  return service.store.all<SbaProfileRow>(
    `SELECT ${WITHOUT_LOGO} FROM sba_profile WHERE ad_group_id = ? ORDER BY sba_profile_id`,
    adGroupId,
  );
}

const WITHOUT_LOGO = columnsOf('sba_profile')
  .flatMap(([name]) => (name === 'logo' ? [] : [name]))
  .join(', ');

/** The path of an uploaded logo, without the host, which may differ after a restart. */
export function logoPath(sbaProfileId: number): string {
  return `/assets/logos/${sbaProfileId}.png`;
}

function showProfile(service: Service, row: SbaProfileRow): Readonly<Record<string, unknown>> {
  const logoUrl = row.logo_url.startsWith('/') ? service.baseUrl() + row.logo_url : row.logo_url;
  return { ...showRow('sba_profile', row), logoUrl };
}

/*
 * "SBA update (V2)". On a scheduled or live campaign:
 *
 *   profile     sent                       answer
 *   enabled     anything                   422 cannot update the enabled one (including disabling it)
 *   disabled    enable, not approved       422 cannot be enabled without approval
 *   disabled    enable and new content     400 not both at the same time
 *   disabled    enable                     done; the other profile is disabled
 *   disabled    new content                done; reviewStatus is pending again
 */
interface ProfileChange {
  readonly campaign: CampaignRow;
  readonly profile: SbaProfileRow;
  readonly content: SbaContent;
  readonly status: 'enabled' | 'disabled';
}

function updateSbaProfiles(service: Service, call: Call): readonly Result[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields) => {
    const ids = readGroupIds(fields);
    const sbaProfileId = readValidId(fields, 'sbaProfileId', messages.sbaProfileIdInvalid);
    const content = readSbaContent(fields);
    required(readText(fields, 'headlineText') ?? readText(fields, 'headline'), 'headlineText');
    return {
      ...ids,
      sbaProfileId,
      content,
      status: required(readWord(fields, 'status', ['enabled', 'disabled'] as const), 'status'),
    };
  });
  const found = elements.map((element) => {
    const { campaign } = findGroupOfCampaign(service, element.campaignId, element.adGroupId);
    const profile = findProfile(service, element.adGroupId, element.sbaProfileId);
    return { ...element, campaign, profile };
  });
  for (const { campaign } of found) requireKnownType(campaign);
  for (const { campaign, profile } of found) {
    // A video group has no profiles; its 422 is part of the type check below.
    if (campaign.campaign_type === 'sba' && profile === undefined) {
      throw new Refusal(404, messages.sbaProfileNotFound);
    }
  }
  for (const { campaign } of found) requireWrite(call.principal, campaign.advertiser_id, 'sba');
  const changes = found.map(({ campaign, profile, content, status }): ProfileChange => {
    if (campaign.campaign_type === 'video' || profile === undefined) throw new Refusal(422, messages.useMediaEndpoints);
    return { campaign, profile, content, status };
  });
  for (const { profile } of changes) requireNoReview(service, profile.ad_group_id);
  for (const change of changes) requireChangeable(change);
  for (const change of changes) refuseUpdateAndEnable(change);
  return changes.map((change) => updateProfile(service, change));
}

function requireKnownType(campaign: CampaignRow): void {
  if (campaign.campaign_type === 'sponsoredProducts') throw new Refusal(404, messages.endpointNotAllowed);
}

function requireNoReview(service: Service, adGroupId: number): void {
  if (findOpenReview(service, adGroupId) !== undefined) throw new Refusal(422, messages.underReviewModify);
}

function findProfile(service: Service, adGroupId: number, sbaProfileId: number): SbaProfileRow | undefined {
  return listProfiles(service, adGroupId).find((row) => row.sba_profile_id === sbaProfileId);
}

function isApproved(profile: SbaProfileRow): boolean {
  return profile.review_status === 'complete' && profile.review_reason === null;
}

function isContentChanged({ profile, content }: ProfileChange): boolean {
  return contents.some(([name]) => profile[name] !== content[name]);
}

function requireChangeable({ campaign, profile, status }: ProfileChange): void {
  if (!isSbaUsed(campaign)) return;
  if (profile.status === 'enabled') throw new Refusal(422, messages.enabledNotUpdatable);
  if (status === 'enabled' && !isApproved(profile)) throw new Refusal(422, messages.disabledNotEnableable);
}

function refuseUpdateAndEnable(change: ProfileChange): void {
  const enables = change.profile.status === 'disabled' && change.status === 'enabled';
  if (isSbaUsed(change.campaign) && enables && isContentChanged(change)) {
    throw new Refusal(400, messages.updateAndEnable);
  }
}

function updateProfile(service: Service, change: ProfileChange): Result {
  const { profile, content, status } = change;
  const problem = judgeSbaContent(service, content);
  if (problem !== null) return failure('sbaProfileId', problem);
  service.store.update('sba_profile', profile.sba_profile_id, { ...content, status });
  if (isContentChanged(change)) resetProfileReview(service, profile.sba_profile_id);
  if (status === 'enabled' && profile.status === 'disabled') {
    disableOtherProfiles(service, profile.ad_group_id, profile.sba_profile_id);
  }
  return success('sbaProfileId', profile.sba_profile_id);
}

/** Enabling one profile disables the others: one logo is shown at a time. */
export function disableOtherProfiles(service: Service, adGroupId: number, sbaProfileId: number): void {
  service.store.run(
    "UPDATE sba_profile SET status = 'disabled' WHERE ad_group_id = ? AND sba_profile_id <> ?",
    adGroupId,
    sbaProfileId,
  );
}

/** New content or a new logo must be reviewed again. */
function resetProfileReview(service: Service, sbaProfileId: number): void {
  service.store.update('sba_profile', sbaProfileId, { review_status: 'pending', review_reason: null });
}

/** The 422 of the logo upload, for the same states. */
function requireLogoChangeable(service: Service, campaign: CampaignRow, profile: SbaProfileRow): void {
  requireNoReview(service, profile.ad_group_id);
  if (isSbaUsed(campaign) && profile.status === 'enabled') throw new Refusal(422, messages.enabledNotUpdatable);
}

/** The document's text and its parameter table spell the name of the JSON part differently. */
const PART_NAMES = ['SBABaseProfileRequest', 'sbaBaseProfileRequest'] as const;
const FILE_NAME = 'file';

/**
 * "Upload logo: POST /api/v2/sba_profile_image_upload". The upload enforces PNG and 1024 Kb; 100 x 100 px and at most
 * 200 Kb are content rules, which the review checks. It has fewer refusals than the update: a profile that is not in
 * the group fails the validation of its ID.
 */
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
  const campaign = service.store.find('campaign', ids.campaignId);
  const group = service.store.find('ad_group', ids.adGroupId);
  // The only 404 of this call; it includes an ad group of another campaign.
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
  const { sba_profile_id } = profile;
  service.store.update('sba_profile', sba_profile_id, { logo: form.file.bytes, logo_url: logoPath(sba_profile_id) });
  resetProfileReview(service, sba_profile_id);
  return [success('sbaProfileId', sba_profile_id)];
}

/** "200 (with message)": problems of the form itself. */
function judgeForm(form: UploadForm | null, partName: string | undefined): string | null {
  if (form === null || !form.wellFormed) return messages.invalidUpload;
  if (form.file?.field !== FILE_NAME) return messages.missingFile;
  return partName === undefined ? messages.missingFormPart : null;
}

function readIds(text: string) {
  if (text.trim() === '') throw new Refusal(400, messages.emptyInputSba);
  const fields = parsePart(text);
  return {
    campaignId: readValidId(fields, 'campaignId', messages.campaignIdInvalid),
    adGroupId: readValidId(fields, 'adGroupId', messages.adGroupIdInvalid),
    sbaProfileId: readValidId(fields, 'sbaProfileId', messages.sbaProfileIdInvalid),
  };
}

function parsePart(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch {
    // Not JSON: refused below like JSON of the wrong type.
  }
  throw new Refusal(400, messages.invalidParameters);
}

function requireLogoFile(file: UploadedFile): void {
  if (file.name === '') throw new Refusal(400, messages.fileNameEmpty);
  if (file.bytes.length > limits.logoUploadMaxBytes) {
    throw new Refusal(400, messages.fileTooLarge(limits.logoUploadMaxBytes / 1024));
  }
  if (file.contentType.toLowerCase() !== 'image/png') throw new Refusal(400, messages.logoNotPng);
  if (!file.bytes.subarray(0, 8).equals(PNG_SIGNATURE)) throw new Refusal(400, messages.logoTypeMismatch);
}
