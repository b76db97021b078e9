import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { requireRead, requireWrite } from '../access.ts';
import { findOpenReview } from '../campaign-states.ts';
import { MINUTE_MS } from '../clock.ts';
import { schedule } from '../due.ts';
import {
  type Fields,
  parseId,
  queryId,
  readElements,
  readId,
  readObject,
  readText,
  readWord,
  required,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import type { Service } from '../service.ts';
import { type AdGroupMediaRow, type CampaignRow, type MediaRow, showRow } from '../tables.ts';
import { failure, type Result, success } from '../wire/handle-call.ts';
import { asExtension, type Call, create, type Route, read, update } from '../wire/route.ts';
import { findGroupOfCampaign, isSbaUsed, orNotFound, readGroup } from './brand-profiles.ts';

/**
 * Steps of a video ("Video media and video profile"): upload request, bytes to uploadUrl and captionUrl within 15
 * minutes, completion; then 30 minutes of processing, which may fail with a reason (`states.ts`).
 */
export const mediaRoutes: readonly Route[] = [
  create('/api/v1/media/upload', requestUpload),
  update('/api/v1/media/complete', completeUpload),
  read('/api/v1/media', listMedia),
];

function requestUpload(service: Service, call: Call): unknown {
  const fields = readObject(call.body);
  const advertiserId = required(
    readId(fields, 'advertiserId') ?? parseId(call.query.get('advertiserId')),
    'advertiserId',
  );
  requireWrite(call.principal, advertiserId, 'other');
  const secret = randomBytes(18).toString('base64url');
  const expiresMs = service.clock.now() + limits.uploadUrlMinutes * MINUTE_MS;
  const uploadId = service.store.insert('media_upload', {
    advertiser_id: advertiserId,
    media_type: readText(fields, 'mediaType') ?? call.query.get('mediaType') ?? 'video',
    expires_ms: expiresMs,
    secret,
  });
  const address = (part: string) => {
    const signed = new URLSearchParams({ se: new Date(expiresMs).toISOString(), sig: secret });
    return `${service.baseUrl()}/upload/${part}/${uploadId}?${signed.toString()}`;
  };
  return success('mediaUploadRequestId', uploadId, { uploadUrl: address('video'), captionUrl: address('caption') });
}

function completeUpload(service: Service, call: Call): unknown {
  const fields = readObject(call.body);
  const uploadId = required(readId(fields, 'mediaUploadRequestId'), 'mediaUploadRequestId');
  const name = required(readText(fields, 'mediaName'), 'mediaName');
  const upload = service.store.find('media_upload', uploadId);
  const advertiserId = readId(fields, 'advertiserId') ?? upload?.advertiser_id ?? call.principal.advertiserId;
  requireWrite(call.principal, advertiserId, 'other');
  const problem =
    upload === undefined || upload.advertiser_id !== advertiserId
      ? ownMessages.uploadRequestNotFound
      : upload.completed === 1
        ? ownMessages.uploadRequestUsed
        : upload.has_video === 0
          ? ownMessages.videoNotUploaded
          : null;
  if (problem !== null || upload === undefined) {
    return { code: 'failure', details: problem ?? '', mediaId: 0, errors: [problem] };
  }
  const mediaId = service.store.insert('media', {
    advertiser_id: advertiserId,
    upload_id: uploadId,
    name,
    status: 'pending',
    details: '',
    verdict: upload.video_verdict || upload.caption_verdict,
    length_ms: upload.length_ms,
    has_caption: upload.has_caption,
  });
  service.store.update('media_upload', uploadId, { completed: 1 });
  schedule(service, 'media.process', mediaId, service.clock.now());
  return success('mediaId', mediaId, { errors: [] });
}

export function processMedia(service: Service, subject: string): void {
  service.store.run(
    "UPDATE media SET status = 'processing' WHERE media_id = ? AND status = 'pending'",
    Number(subject),
  );
  schedule(service, 'media.finish', subject, service.clock.now() + limits.mediaProcessingMinutes * MINUTE_MS);
}

export function finishMedia(service: Service, subject: string): void {
  service.store.run(
    `UPDATE media SET status = CASE WHEN verdict = '' THEN 'available' ELSE 'failed' END, details = verdict
     WHERE media_id = ? AND status = 'processing'`,
    Number(subject),
  );
}

function listMedia(service: Service, call: Call): readonly unknown[] {
  const advertiserId = parseId(call.query.get('advertiserId')) ?? call.principal.advertiserId;
  const mediaId = parseId(call.query.get('mediaId'));
  requireRead(call.principal, advertiserId, 'other');
  const rows = service.store
    .all<MediaRow & { attached: number }>(
      `SELECT media.*, EXISTS (SELECT 1 FROM ad_group_media WHERE ad_group_media.media_id = media.media_id) AS attached
       FROM media WHERE advertiser_id = ? ORDER BY media_id`,
      advertiserId,
    )
    .filter((row) => mediaId === null || row.media_id === mediaId);
  if (mediaId !== null && rows.length === 0) throw new Refusal(404, ownMessages.mediaNotFound);
  return rows.map((row) => showMedia(service, row));
}

function showMedia(service: Service, row: MediaRow & { readonly attached: number }): Readonly<Record<string, unknown>> {
  const isReady = row.status === 'available';
  const address = (part: string) => `${service.baseUrl()}/assets/${part}/${row.media_id}`;
  return {
    ...showRow('media', row),
    thumbnail: isReady ? thumbnailOf(service, row.media_id) : null,
    videoUrl: isReady ? address('videos') : null,
    captionUrl: isReady && row.has_caption === 1 ? address('captions') : null,
    attached: row.attached === 1,
    durationSeconds: row.length_ms === null ? null : row.length_ms / 1000,
  };
}

function thumbnailOf(service: Service, mediaId: number): string {
  return `${service.baseUrl()}/assets/thumbnails/${mediaId}.png`;
}

/**
 * The video profile of an ad group: "one video per ad group; one video profile per campaign", created `enabled` with
 * review `pending`. Updating it is an extension; on a live campaign it is refused, as in the document.
 */
export const adGroupMediaRoutes: readonly Route[] = [
  read('/api/v1/adGroup/media', listAdGroupMedia),
  create('/api/v1/adGroup/media', createAdGroupMedia),
  asExtension(update('/api/v1/adGroup/media', updateAdGroupMedia)),
];

function listAdGroupMedia(service: Service, call: Call): readonly unknown[] {
  const campaignId = parseId(call.query.get('campaignId'));
  const adGroupId = required(queryId(call.query, 'adGroupId'), 'adGroupId', messages.adGroupIdMissing);
  const { campaign } = findGroupOfCampaign(service, campaignId, adGroupId);
  requireRead(call.principal, campaign.advertiser_id, 'other');
  if (campaign.campaign_type === 'sba') throw new Refusal(422, messages.useSbaEndpoints);
  if (campaign.campaign_type !== 'video') throw new Refusal(404, messages.endpointNotAllowed);
  const profiles = service.store
    .all<AdGroupMediaRow & MediaRow & { profile_status: string }>(
      `SELECT media.*, ad_group_media.*, ad_group_media.status AS profile_status
       FROM ad_group_media JOIN media USING (media_id) WHERE ad_group_id = ?`,
      adGroupId,
    )
    .map((row) => ({
      ...showRow('ad_group_media', row),
      advertiserId: campaign.advertiser_id,
      mediaName: row.name,
      thumbnail: thumbnailOf(service, row.media_id),
      videoUrl: `${service.baseUrl()}/assets/videos/${row.media_id}`,
      captionUrl: row.has_caption === 1 ? `${service.baseUrl()}/assets/captions/${row.media_id}` : null,
      status: row.profile_status,
    }));
  return orNotFound(service, profiles, messages.adGroupMediaNotFound);
}

interface MediaElement {
  readonly campaign: CampaignRow;
  readonly adGroupId: number;
  readonly mediaId: number;
  readonly status: 'enabled' | 'disabled';
  readonly profile: AdGroupMediaRow | undefined;
}

function readMediaElements(service: Service, call: Call): readonly MediaElement[] {
  const elements = readElements(call.body, messages.emptyInputSba).map((fields: Fields) => ({
    ...readGroup(fields),
    mediaId: required(readId(fields, 'mediaId'), 'mediaId'),
    status: readWord(fields, 'status', ['enabled', 'disabled'] as const) ?? 'enabled',
  }));
  return elements.map((element) => {
    const { campaign } = findGroupOfCampaign(service, element.campaignId, element.adGroupId);
    const [profile] = service.store.list('ad_group_media', { ad_group_id: element.adGroupId });
    return { ...element, campaign, profile };
  });
}

function requireVideoCampaign(
  service: Service,
  call: Call,
  elements: readonly MediaElement[],
  underReview: string,
): void {
  for (const { campaign } of elements) requireWrite(call.principal, campaign.advertiser_id, 'other');
  for (const { campaign } of elements) {
    if (campaign.campaign_type === 'sba') throw new Refusal(422, messages.useSbaEndpoints);
    if (campaign.campaign_type !== 'video') throw new Refusal(422, messages.mediaWrongCampaignType);
  }
  for (const { adGroupId } of elements) {
    if (findOpenReview(service, adGroupId) !== undefined) throw new Refusal(422, underReview);
  }
}

function createAdGroupMedia(service: Service, call: Call): readonly Result[] {
  const elements = readMediaElements(service, call);
  requireVideoCampaign(service, call, elements, messages.underReviewAdd);
  for (const { campaign } of elements) {
    const { campaign_id } = campaign;
    const wanted = elements.filter((other) => other.campaign.campaign_id === campaign_id).length;
    const present = service.store.list('ad_group_media', { campaign_id }).length;
    if (present + wanted > limits.videoProfilesPerCampaign) throw new Refusal(422, messages.mediaAlreadyDefined);
  }
  return elements.map(({ campaign, adGroupId, mediaId, status }) => {
    const problem = judgeMedia(service, campaign, mediaId);
    if (problem !== null) return failure('adGroupMediaId', problem);
    const id = service.store.insert('ad_group_media', {
      campaign_id: campaign.campaign_id,
      ad_group_id: adGroupId,
      media_id: mediaId,
      status,
      review_status: 'pending',
    });
    return success('adGroupMediaId', id);
  });
}

function updateAdGroupMedia(service: Service, call: Call): readonly Result[] {
  const elements = readMediaElements(service, call);
  for (const { campaign, profile } of elements) {
    if (campaign.campaign_type === 'video' && profile === undefined) {
      throw new Refusal(404, messages.adGroupMediaNotFound);
    }
  }
  requireVideoCampaign(service, call, elements, messages.underReviewModify);
  for (const { campaign } of elements) {
    if (isSbaUsed(campaign)) throw new Refusal(422, messages.enabledNotUpdatable);
  }
  return elements.map(({ campaign, mediaId, status, profile }) => {
    const problem = judgeMedia(service, campaign, mediaId);
    if (problem !== null || profile === undefined) {
      return failure('adGroupMediaId', problem ?? messages.adGroupMediaNotFound);
    }
    const review = profile.media_id === mediaId ? {} : { review_status: 'pending', review_reason: null };
    service.store.update('ad_group_media', profile.ad_group_media_id, { media_id: mediaId, status, ...review });
    return success('adGroupMediaId', profile.ad_group_media_id);
  });
}

/** "Media with status available can be added to a video profile." */
function judgeMedia(service: Service, campaign: CampaignRow, mediaId: number): string | null {
  const media = service.store.find('media', mediaId);
  if (media === undefined || media.advertiser_id !== campaign.advertiser_id) return ownMessages.mediaNotFound;
  return media.status === 'available' ? null : ownMessages.mediaNotAvailable;
}

/**
 * Whether an uploaded file is a caption file. A .vtt starts with WEBVTT, an .srt with a counter and a line of times.
 */
const CAPTIONS_MAX_BYTES = 10 * 1024 * 1024;

export async function isCaptionFile(path: string): Promise<boolean> {
  if ((await stat(path)).size > CAPTIONS_MAX_BYTES) return false;
  const text = (await readFile(path)).toString('utf8').replace(/^\ufeff/, '');
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(text)) return true;
  return /^\s*\d+[ \t]*\r?\n\d{2}:\d{2}:\d{2},\d{3} --> \d{2}:\d{2}:\d{2},\d{3}/.test(text);
}

/**
 * The film of every video that a scenario has from the start: 20 s, 1280 x 720, H.264, a white square that crosses a
 * green background. Made with `ffmpeg -f lavfi -i color=...`; 3.5 KB, so it is included as text.
 */
export const FILM_MS = 20_000;

export function sampleFilm(): Buffer {
  // Buffer ignores the line breaks.
  return Buffer.from(base64, 'base64');
}

const base64 = `
AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDEAAAPRbW9vdgAAAGxtdmhkAAAAAAAAAAAAAAAAAAAD6AAATiAAAQAAAQAAAAAAAAAAAAAAAAEA
AAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAAAyB0cmFrAAAAXHRraGQAAAADAAAAAAAA
AAAAAAABAAAAAAAATiAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAABQAAAALQAAAAAAAkZWR0cwAAABxl
bHN0AAAAAAAAAAEAAE4gAACAAAABAAAAAAKYbWRpYQAAACBtZGhkAAAAAAAAAAAAAAAAAABAAAAFAABVxAAAAAAALWhkbHIAAAAAAAAAAHZpZGUAAAAA
AAAAAAAAAABWaWRlb0hhbmRsZXIAAAACQ21pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAA
AgNzdGJsAAAAw3N0c2QAAAAAAAAAAQAAALNhdmMxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAABQAC0ABIAAAASAAAAAAAAAABDExhdmMgbGlieDI2NAAA
AAAAAAAAAAAAAAAAAAAAAAAAGP//AAAAOWF2Y0MBZAAy/+EAG2dkADKscgRAUAW7ARAAAAMAEAAAAwAg8YMYRgEAB2joQ4ISyLD9+PgAAAAAEHBhc3AA
AAABAAAAAQAAABRidHJ0AAAAAAAAA/0AAAP9AAAAGHN0dHMAAAAAAAAAAQAAABQAAEAAAAAAFHN0c3MAAAAAAAAAAQAAAAEAAAB4Y3R0cwAAAAAAAAAN
AAAABAAAgAAAAAABAADAAAAAAAEAAEAAAAAAAgAAgAAAAAABAADAAAAAAAEAAEAAAAAAAgAAgAAAAAABAADAAAAAAAEAAEAAAAAAAgAAgAAAAAABAADA
AAAAAAEAAEAAAAAAAgAAgAAAAAAcc3RzYwAAAAAAAAABAAAAAQAAABQAAAABAAAAZHN0c3oAAAAAAAAAAAAAABQAAAELAAAAdwAAAHkAAAB1AAAAmQAA
AGQAAAB2AAAAaAAAAJsAAABkAAAAeAAAAGoAAACcAAAAZAAAAHkAAABrAAAAnwAAAGYAAAB8AAAAaAAAABRzdGNvAAAAAAAAAAEAAAQBAAAAPXVkdGEA
AAA1bWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAbWRpcmFwcGwAAAAAAAAAAAAAAAAIaWxzdAAAAAhmcmVlAAAKAW1kYXQAAAEHZYiBAAL//t8y+BTLcpkA
ZT5bMJcdjcXcqxS/NYf0tBgsiAAAAwAAAwAAAwAAAwAuDNBQp9xFVcVIAAADAAAFqAAFfAAKGAAWsABHwADuAAQgABZAAI4AAvgAF4AAiAAEQAAAAwAA
AwAAAwAAAwAAAwADaWEAFH5MjIC6Xmuv7335USdV7MJTucAAClGi2KsYeFA3YekAAAj+ASIADAgIAGm9AAPN6ABNHZ3DK8+8TKf7Pj6LuF6HCTcadqwA
ABnkHAAHBwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAAAwAADZkAAABzQZoILYgv//6e
EAAAAwAAAwAAAwAWz3frBocP34KLvQAG5h/8vZxJ+HwRt3LM0KLfdZ8eKpxiPO3knoWan3eE9EBqS8EEuWASicGnrhGjzSLiYr2fY3D/433/rLDE5W8S
HhUBnElOoJBQAAADAAADAABQQAAAAHVBmhBL8CBkymEF//6eEAAAAwAAAwAAAwAVH3frBociIv5bf2rSDFABZWkHnE6PkF4AKtdIaXveUfuq0ngS5cNp
B5Gvv+RjLEM1fhITkhRgzwAf32GceA/eB5IhSAZogZFYWiCg6YVT9bxK5IAAAAMAAAMAAd0AAABxQZoYaTwIHkymBBj//qeEAAADAAADAAADAATb5Grd
/FuCnsEgAyDf++62n1XY2F03TesJTSuuy5YnH7XIPzs5J7Crknb8f96O51g76twSjQC4wzIOJM7AvMrGRpPlqQZme9S+PtoWcgAAAwAAAwAABnwAAACV
QZogqXwIH5MpgEF//p4QAAADAAADAAADABFvhQsKw7RrpjHxKy2TgANzD/5ZPVaIk/DvEt+skUAF8BPlbhgeM/A6n/91JenCGe4o1Ecad+g87aADS/Ir
0AAALTgMPUMOy8LiwAOYFbQQAvQvFSQr1DksECKMNWogWEMbBArg61NaHGuq5HdvZCgFUAAAAwAAAwAAHNEAAABgAZ4ohJIK/wAAAwAAAwAAAwADoAOt
bE9V7hpHy+yS7wCDzlHXH1/ihVPzDSuK0BrgU9yh9A3zhgclv//54+GdONA95oRH2PfIwXnlgVhxAvQzGdjXrwhAAAADAAADAAW1AAAAckGaKMm8CB/k
ymAEF//+nhAAAAMAAAMAAAMADjex3Olr+Mq0J39qm5s5K+IMKbwZXqBcQOvWlzovHxmUCpHZxhjFpGz8Qy0gIhR9JTbAAJRocogCPu0EBc2TRBzOqm5y
eNAWCgJtvrFogAAAAwAAAwADpwAAAGRBmjDp/Agf+TKYAEGP/qeEAAADAAADAAADAANP7KfgsMzpX9beBTPSvRFTLQNnrXSlPZVcNwTReQBgpp4h7GxO
M2VeQBfMrwPPV20Kguxy3CBoDYwHk++g+n6AAAADAAADAAHHAAAAl0GaOSiPAgf/kymAAQX//p4QAAADAAADAAADAAuvu/WDQ5EUrXVNkycABuYf/LJ6
rREn4d79Os75ze/wE+VyLrbjQUP/q7W/iCh54KFEZc2Hg87TADgcKhIAAAMC79zD1DDxJBUSACs2uqvQE7rY6DEjTNkYcv9LjeapXkyxvf1OovgxsEAT
5Lg4LCi8IAAAAwAAAwAA2oAAAABgAZ5BDPIK/wAAAwAAAwAAAwACayE5H2qd0oqUvck27dj1pM+hK1btpbkErOgptcdeP3m9urO191qNmfAJohi0ixQr
xkQA91C6HXXg4fbIrmCF5Jayz0gAAAMAAAMAAK2AAAAAdEGaQUifAgf/5MpgABBf//6eEAAAAwAAAwAAAwAJt8WJg0OREX8tv7VNzZyV8QYU3gyvUC4g
detLnRePjMoFSOzjDGLSNn4hlpARCj6Sm2AASjQ5RAEfdoIC5smiDmdVNzk8aAsFATbfWLRAAAADAAADAAK3AAAAZkGaSWivAgf/+TKYAAEGP/6nhAAA
AwAAAwAAAwACPfI1bv4t1mr7bwKZ6V6IqZaBs9a6Up7KrhuCaLyAMFNPEPY2JxmyryAL5leB56u2hUF2OW4QNAbGAkdRG0/QAAADAAADAABUwAAAAJhB
mlGovwIH//5MpgAAEF///p4QAAADAAADAAADAAfL2O50tfxoKr9NkycABuYf/LJ6rREn4d79Os75ze/wE+VyLrbjQUP/q7W/iCh54KFEZc2Hg87TADgc
KhIAAAMC79zD1DDxJBUSACs2uqvQE7rY6DEjTNkYcv9LjeapXkyxvf1OovgxsEAT5Lg4LCi8IAAAAwAAAwABQwAAAGABnlmMVIK/AAADAAADAAADAAGm
H+62NU7pRUpe5Jt27HrSZ9CVq3bS3IJWdBTa468fvN7dWdr7rUbM+ATRDFpFihXjIgB7qF0OuvBw+2RXMELyS1lnpAAAAwAAAwAAfMEAAAB1QZpZyM8C
B///kymAAAEF//6eEAAAAwAAAwAAAwAGn9judLX8ZVoTv7VNzZyV8QYU3gyvUC4gdetLnRePjMoFSOzjDGLSNn4hlpARCj6Sm2AASjQ5RAEfdoIC5smi
DmdVNzk8aAsFATbfWLRAAAADAAADAAPnAAAAZ0GaYejfAgf//+TKYAAAEF///p4QAAADAAADAAADAAX/2O50tfxlSvNVaX62vOrB4hc7qN076yrbR+YJ
yAL1NKz/YuJhmyryAL5leB56u2hUF2EW4QNAbGAjxrMruQAAAwAAAwAACkkAAACbQZpqKO8CB///+TKYAAADAQX//p4QAAADAAADAAADAAVr3frBociK
VrqmyZOAA3MP/lk9VoiT8O9+nWd85vf4CfK5F1txoKH/1drfxBQ88FCiMubDwedpgBwOFQkAAAMBd+5h6hh4kgqJABWbXVXoCd1sdBiRpmyMOX+lxvNU
ryZY3v6nUXwY2CAJ8lwcFhReEAAAAwAAAwAA6oAAAABiAZ5yDGyCvwAAAwAAAwAAAwABHZCcj7VO6UVKXuSbdux60mfQlat20tyCVnQU2uOvH7ze3Vna
+61GzPgE0QxaRYoV4yIAe6hdDrrwcPtkVzBC/lqhR6a0UAAAAwAAAwAA+YAAAAB4QZpySP8CB////kymAAADABBb//6MsAAAAwAAAwAAAwAEh+Jyc58A
PKzlUGjYiBSYi2KubLMiP53g3yjMigwjMCG4pPbGrD/+qLnDDQXhtLRhOQABHIueoAcJysYW/7x4RXeoZCV4ULmAiJHyflAAAAMAAAMAAN6BAAAAZEGa
emeBA////8mUwAAAAwCCv/44QAAAAwAAAwAAAwAPl6kS1nPsEmIdrtC3XQma5qhK0tFTB+KXy+SgAgU+gnELtOwDIBiISgkdbrow796GCkdDvWz3KN7T
5oQAAAMAAAMABSQ=
`;

interface VideoVerdict {
  /** Empty if the video is valid. */
  readonly verdict: string;
  readonly lengthMs: number | null;
}

/** "Video length: 5 to 45 seconds", read from the file itself, not from the caller's statement. */
export async function judgeVideo(path: string): Promise<VideoVerdict> {
  const lengthMs = await readVideoLengthMs(path);
  if (lengthMs === null) return { verdict: ownMessages.videoUnreadable, lengthMs };
  const fits = lengthMs >= limits.videoMinSeconds * 1000 && lengthMs <= limits.videoMaxSeconds * 1000;
  return { verdict: fits ? '' : ownMessages.videoTooShortOrLong((lengthMs / 1000).toFixed(1)), lengthMs };
}

/**
 * The length of a video, read from the container's boxes (.mp4 and .mov are the same family): `moov` contains `mvhd`,
 * which has duration and units per second. Only box headers are read, so the file size does not matter.
 *
 *   ftyp | ... | mdat (skipped) | moov [ mvhd ... ]
 */
async function readVideoLengthMs(path: string): Promise<number | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const moov = await findBox(file, 'moov', 0, size);
    if (moov === null) return null;
    const mvhd = await findBox(file, 'mvhd', moov.start, moov.end);
    return mvhd === null ? null : await readDuration(file, mvhd);
  } finally {
    await file.close();
  }
}

interface Box {
  /** Start and end of the content, in bytes from the start of the file. */
  readonly start: number;
  readonly end: number;
}

/** Real files have few boxes per level; a malicious one could have millions of empty ones. */
const BOXES_MAX = 10_000;

async function findBox(file: FileHandle, type: string, from: number, to: number): Promise<Box | null> {
  let offset = from;
  for (let seen = 0; seen < BOXES_MAX && offset + 8 <= to; seen += 1) {
    const header = await readBytes(file, offset, 16);
    if (header.length < 8) return null;
    const name = header.toString('latin1', 4, 8);
    let length = header.readUInt32BE(0);
    let headerLength = 8;
    if (length === 1) {
      if (header.length < 16) return null;
      length = Number(header.readBigUInt64BE(8));
      headerLength = 16;
    } else if (length === 0) {
      // The last box may have an open length: it extends to the end.
      length = to - offset;
    }
    if (length < headerLength || offset + length > to) return null;
    if (offset === 0 && !['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(name)) return null;
    if (name === type) return { start: offset + headerLength, end: offset + length };
    offset += length;
  }
  return null;
}

async function readDuration(file: FileHandle, box: Box): Promise<number | null> {
  const content = await readBytes(file, box.start, Math.min(32, box.end - box.start));
  if (content.length < 20) return null;
  const isLong = content[0] === 1;
  if (isLong && content.length < 32) return null;
  const unitsPerSecond = content.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(content.readBigUInt64BE(24)) : content.readUInt32BE(16);
  return unitsPerSecond === 0 ? null : Math.round((units / unitsPerSecond) * 1000);
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
