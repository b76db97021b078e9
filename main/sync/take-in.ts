import type { CampaignToTakeIn, TakeInOutcome, TakenIn } from '../../shared/contract/known.ts';
import type { KnownSource } from '../../shared/model/known-id.ts';
import { type RemoteId, remoteId } from '../../shared/model/scalars.ts';
import type { ReadFailure } from '../api/outcome.ts';
import type { Workspace } from '../workspace/port.ts';
import { type TakeInBooks, takeIn, type Wanted } from './core/take-in.ts';
import type { Runs } from './runs.ts';

/** Takes campaigns in and tells, id by id, what became of each; one that a failure left out is `not-asked`. */
export async function takeInNow(
  runs: Pick<Runs, 'read'>,
  workspace: Pick<Workspace, 'readTrees'>,
  campaigns: readonly CampaignToTakeIn[],
  source: KnownSource,
): Promise<TakenIn> {
  const wanted = oncePerCampaign(campaigns);
  const books: TakeInBooks = { outcomes: [], added: [] };
  const done = await runs.read((ctx) => takeIn(ctx, wanted, source, books));
  const told = new Map(books.outcomes.map((outcome) => [outcome.campaign, outcome]));
  const notAsked = wanted
    .filter(({ id }) => !told.has(id))
    .map(({ id }): TakeInOutcome => ({ kind: 'campaign', id, campaign: id, outcome: 'not-asked', detail: '' }));
  const trees = books.added.length === 0 ? [] : await workspace.readTrees(books.added);
  return {
    outcomes: [...books.outcomes, ...notAsked],
    withoutGroup: trees.flatMap(({ campaign, adGroups }) => (adGroups.length === 0 ? (campaign.remoteId ?? []) : [])),
    stoppedBy: done.ok ? null : wordsOf(done.error),
  };
}

/** Several lines may name one campaign, each with an ad group of it; the first word on it counts. */
function oncePerCampaign(campaigns: readonly CampaignToTakeIn[]): readonly Wanted[] {
  const byId = new Map<RemoteId, Wanted>();
  for (const { id: text, adGroups, name, campaignType, targetingType } of campaigns) {
    const id = remoteId(text);
    if (id === null) continue;
    const before = byId.get(id);
    const groups = adGroups.flatMap((group) => remoteId(group) ?? []);
    byId.set(id, {
      id,
      name: before?.name ?? name,
      campaignType: before?.campaignType ?? campaignType,
      targetingType: before?.targetingType ?? targetingType,
      adGroups: [...new Set([...(before?.adGroups ?? []), ...groups])],
    });
  }
  return [...byId.values()];
}

const wordsOf = (failure: ReadFailure): string => (failure.kind === 'unreachable' ? failure.cause : failure.message);
