import type { RuleTally } from '../../shared/rules/rule.ts';
import type { Client } from '../app/transport/connection.ts';
import { changed } from './invalidation.ts';
import type { ListQuestion } from './paged-list.ts';
import type { QueryDefinition } from './query-cache.ts';

type Page = Awaited<ReturnType<Client['workspace']['findings']>>;

/** What a rule says of a row, as the lower panel lists it. */
export type Found = Page['findings'][number];
export type FindingCounts = Page['counts'];

/** What is said beside a page of findings. */
export interface FindingFacts {
  /** Of the account or the campaign, whatever rule the list is narrowed to. */
  readonly counts: FindingCounts;
}

/** All findings of the account or a campaign, gravest first; with `rule` only what that rule finds. */
export const findings = (
  workspaceId: string,
  campaignId: number | null,
  rule: string | null = null,
): ListQuestion<Found, FindingFacts> => ({
  key: `findings ${workspaceId} ${campaignId} ${rule}`,
  read: async (client, from, count) => {
    const page = await client.workspace.findings({ workspaceId, from, count, campaignId, rule });
    return { items: page.findings, total: page.total, facts: page };
  },
  outdatedBy: changed(workspaceId),
});

/** How much each rule finds, gravest first. */
export const findingRules = (
  workspaceId: string,
  campaignId: number | null,
): QueryDefinition<readonly RuleTally[]> => ({
  key: `finding rules ${workspaceId} ${campaignId}`,
  read: async (client) => (await client.workspace.findings({ workspaceId, from: 0, count: 0, campaignId })).rules,
  outdatedBy: changed(workspaceId),
});
