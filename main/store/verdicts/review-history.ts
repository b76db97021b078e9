import type { Rejection } from '../../../shared/api/reviews.ts';
import {
  CREATIVE_KINDS,
  type Creative,
  type CreativeMemory,
  creativeChanges,
  creativeKey,
} from '../../../shared/model/creative.ts';
import { dateInZone } from '../../../shared/model/plain-date.ts';
import { asNumber, asText, asTextOrNull, type Db, type DbRow, numberOf, rowIdOf } from '../db/db.ts';
import { tableOf } from '../schema/tables.ts';

/** What the rules may ask: the last word of a review on exactly this. */
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
 * Rejections, newest first, each with what the reviewers saw and what of that had changed since the row was last approved.
 *
 * @param words each of them stands in the campaign's name, in the reason or in the creative; capitals do not count
 */
export function readRejections(
  db: Db,
  zone: string,
  from: number,
  count: number,
  words: string,
): { readonly total: number; readonly rejections: readonly Rejection[] } {
  const wanted = words.split(/\s+/u).filter((word) => word !== '');
  const where = [`v.verdict = 'rejected'`, ...wanted.map(() => 'instr(v.search_key, fold(?)) > 0')].join(' AND ');
  const total = numberOf(db, `SELECT count(*) FROM creative_verdict v WHERE ${where}`, ...wanted);
  const rows = db.all(
    `SELECT v.id, v.kind, v.row, v.campaign_id, v.campaign, v.creative, v.reason, v.at FROM creative_verdict v
     WHERE ${where} ORDER BY v.id DESC LIMIT ? OFFSET ?`,
    ...wanted,
    count,
    from,
  );
  return { total, rejections: rows.map((row) => rejectionOf(db, zone, row)) };
}

function rejectionOf(db: Db, zone: string, [id, code, row, campaignId, campaign, key, reason, at]: DbRow): Rejection {
  const creative = parseKey(asText(key));
  const [remoteId] = db.get(`SELECT remote_id FROM ${tableOf(creative.kind).name} WHERE id = ?`, row ?? null) ?? [];
  const [approved] =
    db.get(
      `SELECT creative FROM creative_verdict WHERE kind = ? AND row = ? AND verdict = 'approved' AND id < ?
       ORDER BY id DESC LIMIT 1`,
      ...[code ?? null, row ?? null, id ?? null],
    ) ?? [];
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
      approved === undefined
        ? null
        : creativeChanges(parseKey(asText(approved)), creative).map(({ part, before, after }) =>
            part === 'sha256'
              ? { part: 'file', before: fileOf(db, before), after: fileOf(db, after) }
              : { part, before, after },
          ),
  };
}

const fileOf = (db: Db, sha256: string | null): string | null =>
  sha256 === null ? null : asTextOrNull(db.get('SELECT fileName FROM media WHERE sha256 = ?', sha256)?.[0]);

/** The way back from `creativeKey`, which wrote it. */
function parseKey(key: string): Creative {
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
