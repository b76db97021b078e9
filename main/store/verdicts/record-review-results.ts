import { type Creative, type CreativeKind, creativeKey, creativeOf } from '../../../shared/model/creative.ts';
import { kindCode } from '../../../shared/model/kinds.ts';
import type { Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asText, type Db, rowIdOf } from '../db/db.ts';
import { readRows } from '../rows/read-rows.ts';
import { calendarAheadMs } from '../rows/rule-settings.ts';
import type { AffectedRows } from '../writer/store.ts';

/**
 * Writes down what a review said of profiles, with what the service has of them just then; called wherever the service's
 * word on a profile is written. A verdict that the row had already, on the same creative, is not news.
 */
export function recordReviewResults(
  db: Db,
  kind: CreativeKind,
  ids: readonly RowId[],
  nowMs: number,
  touched: AffectedRows,
): void {
  if (ids.length === 0) return;
  const at = nowMs + calendarAheadMs(db);
  const rows = readRows<CreativeKind>(db, kind, 'k.id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  for (const row of rows) {
    const { reviewStatus: verdict, reviewReason: reason } = row.values;
    if (!isVerdict(verdict)) continue;
    const creative = creativeOf(kind, row.base ?? row.values, (id) => hashOf(db, id));
    if (creative === null) continue;
    if (write(db, row, creative, verdict, reason, at)) recheckSame(db, creative, touched);
  }
}

const isVerdict = (word: string | null): word is 'approved' | 'rejected' => word === 'approved' || word === 'rejected';

function write(
  db: Db,
  { kind, id, campaignId }: Row<CreativeKind>,
  creative: Creative,
  verdict: 'approved' | 'rejected',
  reason: string | null,
  at: number,
): boolean {
  const code = kindCode(kind);
  const key = creativeKey(creative);
  const last = db.get(
    'SELECT creative, verdict, reason FROM creative_verdict WHERE kind = ? AND row = ? ORDER BY id DESC LIMIT 1',
    code,
    id,
  );
  if (last !== undefined && last[0] === key && last[1] === verdict && last[2] === reason) return false;
  const [name] = db.get('SELECT name FROM campaign WHERE id = ?', campaignId) ?? [];
  const campaign = typeof name === 'string' ? name : '';
  const words = [campaign, reason, creative.headline, creative.brand, creative.clickUrl].filter(
    (text) => text !== null,
  );
  db.run(
    `INSERT INTO creative_verdict(kind, row, campaign_id, campaign, creative, search_key, verdict, reason, at)
     VALUES (?, ?, ?, ?, ?, fold(?), ?, ?, ?)`,
    ...[code, id, campaignId, campaign, key, words.join('\n'), verdict, reason, at],
  );
  return true;
}

const hashOf = (db: Db, media: number): string | null => {
  const [hash] = db.get('SELECT sha256 FROM media WHERE id = ?', media) ?? [];
  return hash === undefined || hash === null ? null : asText(hash);
};

/** Drafts with the same words or the same video learn of it at once. */
function recheckSame(db: Db, { kind, headline, sha256 }: Creative, touched: AffectedRows): void {
  const users =
    kind === 'sbaProfile'
      ? db.all('SELECT DISTINCT campaign_id FROM sba_profile WHERE sort_key = fold(?)', headline)
      : db.all(
          'SELECT DISTINCT campaign_id FROM video_profile WHERE video IN (SELECT id FROM media WHERE sha256 = ?)',
          sha256,
        );
  for (const [id] of users) touched.campaign(rowIdOf(id));
}
