import type { Capabilities } from '../../shared/plan/plan-types.ts';
import { ok } from '../../shared/result.ts';
import type { Http } from './http.ts';
import type { ReadFailure } from './outcome.ts';
import { type Read, readValue } from './read.ts';

/**
 * Finds out which calls beyond the document a deployment offers, by asking only for reads. A read that answers,
 * or complains about its parameters, is there; 404 and 405 say it is not (wire shapes, section 3). Where the read
 * of a resource is there, its update is taken to be there too: probing a write would be a write.
 */
export async function probeCapabilities(http: Http): Read<Capabilities> {
  const { advertiserId } = http.connection;
  const campaigns = await isThere(http, '/api/v1/campaigns', { advertiserId });
  if (!campaigns.ok) return campaigns;
  // The others need an id to answer; a missing one is a complaint (400), a missing call is a 404 or 405.
  const adGroups = await isThere(http, '/api/v1/adGroups', {});
  if (!adGroups.ok) return adGroups;
  const keywords = await isThere(http, '/api/v1/keywords', {});
  if (!keywords.ok) return keywords;
  return ok({
    campaignRead: campaigns.value,
    campaignUpdate: campaigns.value,
    adGroupRead: adGroups.value,
    adGroupUpdate: adGroups.value,
    keywordRead: keywords.value,
    keywordUpdate: keywords.value,
    videoProfileUpdate: campaigns.value && adGroups.value,
  });
}

async function isThere(http: Http, path: string, query: Readonly<Record<string, string>>): Read<boolean> {
  const answer = await readValue(http, path, query);
  if (answer.ok) return ok(true);
  return saysAbsent(answer.error) ? ok(false) : complains(answer.error) ? ok(true) : answer;
}

const saysAbsent = (failure: ReadFailure): boolean =>
  (failure.kind === 'refused' || failure.kind === 'service') &&
  (failure.status === 404 || failure.status === 405 || failure.status === 501);

const complains = (failure: ReadFailure): boolean =>
  failure.kind === 'refused' && (failure.status === 400 || failure.status === 422);
