import type { CampaignTree } from '../model/campaign-tree.ts';
import { type CreativeKind, creativeOf } from '../model/creative.ts';
import { isDeleted, type Row } from '../model/row.ts';
import { type Report, type Rule, type RuleEnv, rulesOf } from './rule.ts';

const memory = { severity: 'warning', needs: 'service state' } as const;

/** Rules for drafts with exactly the content that a review has rejected before, in any campaign. */
export const sbaRejectionRules = rulesOf('sbaProfile', 'sba', 'Review', {
  'rejected-before': {
    ...memory,
    bit: 37,
    fields: ['headline'],
    name: 'Creative rejected before',
    text: 'A review rejected exactly this creative on {date:day}: {reason}. Change the headline, brand name, logo or click URL of "{label}" before you submit it.',
  },
});

export const videoMemory = rulesOf('videoProfile', 'video-profile', 'Review', {
  'rejected-before': {
    ...memory,
    bit: 11,
    fields: ['video'],
    name: 'Video rejected before',
    text: 'A review rejected exactly this video on {date:day}: {reason}. Use another video before you submit it.',
  },
});

export function checkRepeatedRejection(tree: CampaignTree, env: RuleEnv, report: Report): void {
  for (const row of tree.sbaProfiles) checkRow(row, sbaRejectionRules['rejected-before'], tree, env, report);
  for (const row of tree.videoProfiles) checkRow(row, videoMemory['rejected-before'], tree, env, report);
}

function checkRow(
  row: Row<CreativeKind>,
  rule: Rule,
  { media }: CampaignTree,
  { verdicts }: RuleEnv,
  report: Report,
): void {
  // A row whose present content was decided by a review shows that itself.
  const isDecided = row.values.reviewStatus === 'approved' || row.values.reviewStatus === 'rejected';
  if (verdicts === undefined || isDeleted(row) || (isDecided && row.base === null)) return;
  const sha256 = (id: number) => media.find((file) => file.id === id)?.values.sha256 ?? null;
  const creative = creativeOf(row.kind, row.values, sha256);
  const last = creative === null ? null : verdicts.last(creative);
  if (last?.verdict !== 'rejected') return;
  report.add(rule, row, { date: last.day, reason: last.reason ?? 'no reason given' });
}
