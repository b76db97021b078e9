import { CREATE_MAX } from '../../../shared/api/limits.ts';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { FULL_RULE } from '../../../shared/bulk/spread-keywords.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { ruleQuery } from '../../../shared/rules/custom-rules.ts';
import { ruleById } from '../../../shared/rules/registry.ts';
import type { RuleTally, Severity } from '../../../shared/rules/rule.ts';
import { attempt, type NewRow } from '../../app/actions.ts';
import type { AppContext } from '../../app/app-context.ts';
import { LONG_VIDEO_RULE, longVideoTexts } from '../../app/issue-text.ts';
import { countText } from '../../app/locale/numbers.ts';
import { readWhole } from '../../app/pages.ts';
import { cellOf } from '../../app/row-cells.ts';
import { rowsOf } from '../../app/shared-queries.ts';
import { spreadKeywords, spreadTexts } from '../../app/spread-keywords.ts';

const texts = {
  verify: (n: number) => (n === 1 ? 'Verify' : `Verify all ${countText(n)}`),
  add: (n: number) => `Add match type to ${countText(n)}`,
  added: 'Add match type',
  tooMany: (max: number) =>
    `Nothing was added. One step can add up to ${countText(max)} keywords. Open one campaign, choose "This campaign" above the issues and add them there, or import the keywords.`,
  shorten: (n: number) => (n === 1 ? 'Shorten' : `Shorten ${countText(n)}`),
  clean: (n: number) => (n === 1 ? 'Clean up' : `Clean up ${countText(n)}`),
  fix: (n: number) => (n === 1 ? 'Fix' : `Fix all ${countText(n)}`),
  show: (n: number) => (n === 1 ? 'Show' : `Show all ${countText(n)}`),
} as const;

/** The button for all issues of a rule: an undoable fix, a request to the service, or the rows in the grid. */
export interface Verb {
  readonly does: 'verify' | 'add-match-type' | 'spread' | 'trim' | 'fix' | 'show';
  readonly name: string;
}

export function verbOf({ rule, found, fixable }: RuleTally): Verb {
  if (rule === 'item.id-unconfirmed') return { does: 'verify', name: texts.verify(found) };
  if (rule === 'ad-group.one-match-type') return { does: 'add-match-type', name: texts.add(found) };
  if (rule === FULL_RULE) return { does: 'spread', name: spreadTexts.spread };
  if (rule === LONG_VIDEO_RULE && found === 1) return { does: 'trim', name: longVideoTexts.trim };
  if (fixable === 0) return { does: 'show', name: texts.show(found) };
  const what = rule.endsWith('length') ? 'shorten' : /(blanks|unseen|encoding)$/.test(rule) ? 'clean' : 'fix';
  return { does: 'fix', name: texts[what](fixable) };
}

/** A custom rule. */
export interface OwnRule {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly query: string;
  readonly severity: Severity;
}

/** @param campaignId only issues in this campaign; null for all */
export function runVerb(
  app: AppContext,
  { does }: Verb,
  { rule }: RuleTally,
  campaignId: number | null,
  own: readonly OwnRule[],
): void {
  if (does === 'verify') void app.actions.confirmItems();
  else if (does === 'fix') void app.actions.fixAll(rule, campaignId);
  else if (does === 'add-match-type') void addMatchType(app, rule, campaignId);
  else if (does === 'spread') void spreadKeywords(app, campaignId === null ? null : [campaignId]);
  else void showRows(app, rule, campaignId, own, does === 'trim');
}

/**
 * Shows the rows of an issue in the grid, by a filter that matches exactly them, at the cell of the first issue; with
 * `isTrim` the video of the first issue in the editor.
 */
async function showRows(
  app: AppContext,
  rule: string,
  campaignId: number | null,
  own: readonly OwnRule[],
  isTrim: boolean,
): Promise<void> {
  const { store, connection } = app;
  const { workspaceId } = store.getState();
  const mine = own.find(({ id }) => rule === `user.${id}`);
  const kind = mine?.kind ?? ruleById(rule)?.kind;
  if (kind === undefined || workspaceId === null) return;
  // The rows are shown even if their first issue can't be read.
  const first = await attempt(app, () =>
    connection.client.workspace.issues({ workspaceId, from: 0, count: 1, campaignId, rule }),
  );
  // Another account may have been opened while it was read.
  if (store.getState().workspaceId !== workspaceId) return;
  const target = first?.issues[0] ?? null;
  if (isTrim && target !== null) return store.getState().editVideo(target.id);
  store.getState().showRows({
    kind,
    campaignId: kind === 'campaign' || kind === 'media' ? null : campaignId,
    filter: mine === undefined ? `issue:${rule}` : ruleQuery(mine),
    target,
  });
}

/** Adds each keyword of the ad groups once more, all of them or none: as phrase, or a phrase as exact. */
async function addMatchType(
  { api, queries, store, connection, actions, toasts }: AppContext,
  rule: string,
  campaignId: number | null,
): Promise<void> {
  const { workspaceId } = store.getState();
  if (workspaceId === null) return;
  const groups = await readWhole(
    (from, count) => connection.client.workspace.issues({ workspaceId, from, count, campaignId, rule }),
    ({ issues }) => issues,
    Infinity,
  );
  const ids = new Set(groups.map(({ id }) => id));
  const rows: NewRow[] = [];
  for (const of of new Set(groups.map((group) => group.campaignId))) {
    if (of === null) continue;
    const view = { kind: 'keyword', campaignId: asRowId(of) } as const;
    const found = await queries.fetchQuery(rowsOf(api, workspaceId, view, CREATE_MAX));
    rows.push(...otherMatchTypes(found.rows, ids));
    if (found.total > CREATE_MAX || rows.length > CREATE_MAX) return toasts.fail(texts.tooMany(CREATE_MAX));
  }
  if (rows.length > 0) await actions.create(texts.added, rows, [], workspaceId);
}

/** The keywords of these ad groups with another match type, without those that are marked for deletion. */
export function otherMatchTypes(rows: readonly WindowRow[], adGroupIds: ReadonlySet<number>): readonly NewRow[] {
  return rows.flatMap((row): readonly NewRow[] => {
    const { adGroupId } = row;
    if (adGroupId === null || !adGroupIds.has(adGroupId) || isDeleted(row)) return [];
    const cell = (field: string) => cellOf('keyword', row, field);
    const matchType = cell('matchType') === 'phrase' ? 'exact' : 'phrase';
    return [
      { kind: 'keyword', parent: { id: adGroupId }, values: { text: cell('text'), matchType, bid: cell('bid') } },
    ];
  });
}
