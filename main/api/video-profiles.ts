import type { RemoteId } from '../../shared/model/scalars.ts';
import type { Http } from './http.ts';
import type { JsonValue } from './json.ts';
import { type Listed, type Read, type RemoteRecord, readRecords } from './read.ts';
import { idOf, membersOf, readCells, reviewOutcome, textOf } from './reading.ts';

/** A video profile beside the id of the media it shows, which is a row of the library on our side. */
export interface VideoProfileRecord extends RemoteRecord {
  readonly mediaId: RemoteId | null;
  readonly mediaName: string | null;
}

/** Reads the video profile of an ad group (document, "GET /api/v1/adGroup/media"). */
export const listVideoProfiles = (
  http: Http,
  campaignId: RemoteId,
  adGroupId: RemoteId,
): Read<Listed<VideoProfileRecord>> =>
  readRecords(http, '/api/v1/adGroup/media', { campaignId, adGroupId }, (element) =>
    profile(element, campaignId, adGroupId),
  );

function profile(element: JsonValue, campaignId: RemoteId, adGroupId: RemoteId): VideoProfileRecord | null {
  const members = membersOf(element);
  const remoteId = idOf(members?.get('adGroupMediaId'));
  if (members === null || remoteId === null) return null;
  const reason = members.get('reviewReason');
  const reviewStatus = reviewOutcome(members.get('reviewStatus'), reason);
  const { values, ...misread } = readCells('videoProfile', {
    status: members.get('status'),
    thumbnailUrl: members.get('thumbnail', 'thumbnailUrl'),
    reviewReason: reason,
  });
  return {
    kind: 'videoProfile',
    remoteId,
    campaignId,
    adGroupId,
    mediaId: idOf(members.get('mediaId')),
    mediaName: textOf(members.get('mediaName', 'name')),
    ...misread,
    values: {
      ...values,
      ...(reviewStatus === null ? {} : { reviewStatus }),
    },
  };
}
