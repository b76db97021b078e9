import type { Change } from '../../../shared/contract/workspace.ts';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { en } from '../../messages/en.ts';
import { enHistory } from '../../messages/en-history.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';

/** Changes as lines for a message or a ticket: a heading for each campaign, below it one line a change. */
export function changesText(changes: readonly Change[], media: MediaNames): string {
  const lines: string[] = [];
  let campaign: string | null = null;
  for (const change of changes) {
    if (change.campaignName !== campaign) {
      campaign = change.campaignName;
      lines.push(...(lines.length === 0 ? [] : ['']), campaign === '' ? KIND_NAMES[change.kind].many : campaign);
    }
    lines.push(`- ${KIND_NAMES[change.kind].one} ${change.label}: ${whatChanged(change, media)}`);
  }
  return lines.join('\n');
}

function whatChanged({ kind, what, field, before, after, held }: Change, media: MediaNames): string {
  const text = (value: Change['before']): string =>
    (field === null ? '' : valueText(kind, field, value, media)) || en.sync.emptyValue;
  const said =
    what === 'new'
      ? enHistory.isNew
      : what === 'deleted'
        ? enHistory.isDeleted
        : `${fieldName(field ?? '')} ${text(before)} → ${text(after)}`;
  return held ? `${said} (${en.drawer.held.toLowerCase()})` : said;
}
