import type { Rejection } from '../../../shared/api/reviews.ts';
import {
  CREATIVE_KINDS,
  type Creative,
  type CreativeChange,
  type CreativeKind,
  type CreativeMemory,
  creativeChanges,
  creativeKey,
  creativeOf,
} from '../../../shared/model/creative.ts';
import { kindCode } from '../../../shared/model/kinds.ts';
import { dateInZone } from '../../../shared/model/plain-date.ts';
import type { Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, asTextOrNull, containsWords, type Db, type DbRow, numberOf, rowIdOf } from '../db/db.ts';
import { readRowsWithIds } from '../rows/read-rows.ts';
import { calendarAheadMs } from '../rows/rule-settings.ts';
import { tableOf } from '../schema/tables.ts';
import type { AffectedRows } from '../writer/writer-store.ts';

/** For rules: the last review result of an identical creative. */
export const readRejectedCreatives = (db: Db, zone: string): CreativeMemory => ({
  last: (creative) => {
    const found = db.get(
      'SELECT verdict, reason, at FROM creative_verdict WHERE creative = ? ORDER BY id DESC LIMIT 1',
      creativeKey(creative),
    );
    if (found === undefined) return null;
    const [verdict, reason, at] = found;
    return {
      verdict: verdict === 'rejected' ? 'rejected' : 'approved',
      reason: asTextOrNull(reason),
      day: dateInZone(asNumber(at), zone),
    };
  },
});

/**
 * Rejections, newest first, with the reviewed creative and its changes since the row was last approved.
 *
 * @param words each must occur in the campaign's name, in the reason or in the creative; case is ignored
 */
export function readRejections(
  db: Db,
  zone: string,
  from: number,
  count: number,
  words: string,
): { readonly total: number; readonly rejections: readonly Rejection[] } {
  const { sql, bind } = containsWords('v.search_key', words);
  const where = `v.verdict = 'rejected' AND ${sql}`;
  const total = numberOf(db, `SELECT count(*) FROM creative_verdict v WHERE ${where}`, ...bind);
  const rows = db.all(
    `SELECT v.id, v.kind, v.row, v.campaign_id, v.campaign, v.creative, v.reason, v.at FROM creative_verdict v
     WHERE ${where} ORDER BY v.id DESC LIMIT ? OFFSET ?`,
    ...bind,
    count,
    from,
  );
  return { total, rejections: rows.map((row) => rejectionOf(db, zone, row)) };
}

function rejectionOf(db: Db, zone: string, [id, code, row, campaignId, campaign, key, reason, at]: DbRow): Rejection {
  const creative = parseKey(asText(key));
  const [remoteId] = db.get(`SELECT remote_id FROM ${tableOf(creative.kind).name} WHERE id = ?`, row ?? null) ?? [];
  const approved = lastApproved(db, asNumber(code), rowIdOf(row), asNumber(id));
  return {
    number: asNumber(id),
    kind: creative.kind,
    id: rowIdOf(row),
    remoteId: remoteId === undefined ? null : asTextOrNull(remoteId),
    isThere: remoteId !== undefined,
    campaignId: rowIdOf(campaignId),
    campaign: asText(campaign),
    day: dateInZone(asNumber(at), zone),
    reason: asTextOrNull(reason),
    creative: { ...creative, fileName: fileOf(db, creative.sha256) },
    changes:
      approved === null
        ? null
        : creativeChanges(approved, creative).map(({ part, before, after }) =>
            part === 'sha256'
              ? { part: 'file', before: fileOf(db, before), after: fileOf(db, after) }
              : { part, before, after },
          ),
  };
}

/** A profile's changes since it was last approved; null if it never was. */
export function readApprovedChanges(
  db: Db,
  { kind, id }: { readonly kind: CreativeKind; readonly id: RowId },
): readonly CreativeChange[] | null {
  const [row] = readRowsWithIds<CreativeKind>(db, kind, [id]);
  const creative = row === undefined ? null : creativeOf(kind, row.values, (media) => hashOf(db, media));
  const approved = lastApproved(db, kindCode(kind), id);
  return creative === null || approved === null ? null : creativeChanges(approved, creative);
}

/** The creative of a row's last approval; with `before`, the last one before that verdict. */
function lastApproved(db: Db, code: number, row: RowId, before: number | null = null): Creative | null {
  const found = db.get(
    `SELECT creative FROM creative_verdict WHERE kind = ?1 AND row = ?2 AND verdict = 'approved'
       AND (?3 IS NULL OR id < ?3) ORDER BY id DESC LIMIT 1`,
    code,
    row,
    before,
  );
  return found === undefined ? null : parseKey(asText(found[0]));
}

const fileOf = (db: Db, sha256: string | null): string | null =>
  sha256 === null ? null : asTextOrNull(db.get('SELECT fileName FROM media WHERE sha256 = ?', sha256)?.[0]);

/** Parses the text of `creativeKey`. */
export function parseKey(key: string): Creative {
  const [kind, brand, headline, clickUrl, sha256] = JSON.parse(key) as readonly (string | null)[];
  const known = CREATIVE_KINDS.find((each) => each === kind);
  if (known === undefined) throw new Error('a verdict is on no kind of profile');
  return {
    kind: known,
    brand: brand ?? null,
    headline: headline ?? null,
    clickUrl: clickUrl ?? null,
    sha256: sha256 ?? null,
  };
}

/**
 * Records review results of profiles with their current service values; called whenever service values of a profile are
 * written. A repeated result for the same creative is not recorded again.
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
  const rows = readRowsWithIds<CreativeKind>(db, kind, ids);
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
    code,
    id,
    campaignId,
    campaign,
    key,
    words.join('\n'),
    verdict,
    reason,
    at,
  );
  return true;
}

export const hashOf = (db: Db, media: number): string | null => {
  const [hash] = db.get('SELECT sha256 FROM media WHERE id = ?', media) ?? [];
  return hash === undefined || hash === null ? null : asText(hash);
};

/** Checks campaigns again whose drafts have the same text or the same video. */
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
