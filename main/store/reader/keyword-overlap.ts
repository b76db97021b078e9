import { setImmediate as yieldToQueue } from 'node:timers/promises';
import { OVERLAP_CAMPAIGNS_MAX, OVERLAP_KEYWORDS_MAX } from '../../../shared/api/limits.ts';
import type { KeywordOverlap, SharedKeyword } from '../../../shared/api/views.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { DELETED } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { normalizedText } from '../../../shared/model/text.ts';
import { asNumber, asNumberOrNull, asTextOrNull, type Db, rowIdOf, rowsInTurns } from '../db/db.ts';
import { fromStored, toStored } from '../rows/codec.ts';
import { columnNamed, tableOf } from '../schema/tables.ts';

/** Campaign pairs per slice between two yields to other calls: about 10 ms of work. */
const SLICE_PAIRS = 1_000_000;

/** Finds campaigns that bid on the same keywords. Paused keywords and those marked for deletion don't count. */
export async function readKeywordOverlap(db: Db, profile: DeploymentSettings): Promise<KeywordOverlap> {
  const campaignsOf = new Map<string, Set<RowId>>();
  for await (const { key, campaignId } of enabledKeywords(db)) {
    const campaigns = campaignsOf.get(key);
    if (campaigns === undefined) campaignsOf.set(key, new Set([campaignId]));
    else campaigns.add(campaignId);
  }
  const shared = [...campaignsOf.values()].filter((campaigns) => campaigns.size > 1);
  const counts = new Map<RowId, number>();
  for (const campaigns of shared) for (const id of campaigns) counts.set(id, (counts.get(id) ?? 0) + 1);
  const ids = [...counts.keys()].toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b);
  const shown = ids.slice(0, OVERLAP_CAMPAIGNS_MAX);
  const facts = factsOf(db, shown);
  return {
    keywords: shared.length,
    campaigns: ids.length,
    shown: shown.map((id) => ({ id, shared: counts.get(id) ?? 0, ...(facts.get(id) ?? { name: '', distinct: 0 }) })),
    pairs: await pairsOf(shared, shown),
    distinctMax: profile.keywords.maxDistinctEnabled,
  };
}

async function pairsOf(shared: readonly ReadonlySet<RowId>[], shown: readonly RowId[]): Promise<number[]> {
  const size = shown.length;
  const placeOf = new Map(shown.map((id, place) => [id, place]));
  const both = new Uint32Array(size * size);
  let done = 0;
  for (const campaigns of shared) {
    const places = [...campaigns].flatMap((id) => placeOf.get(id) ?? []).toSorted((a, b) => a - b);
    for (const [at, low] of places.entries()) {
      for (let next = at + 1; next < places.length; next++) {
        const cell = low * size + (places[next] ?? 0);
        both[cell] = (both[cell] ?? 0) + 1;
      }
    }
    done += places.length ** 2;
    if (done < SLICE_PAIRS) continue;
    done = 0;
    await yieldToQueue();
  }
  const pairs: number[] = [];
  for (const [cell, count] of both.entries()) if (count > 0) pairs.push(Math.floor(cell / size), cell % size, count);
  return pairs;
}

/** Names, and the number of distinct keywords in the largest ad group (wire shapes, section 5, "Keywords"). */
function factsOf(db: Db, ids: readonly RowId[]) {
  const { enabled } = keywordSql();
  const found = db.all(
    `SELECT c.id, c.name, coalesce((SELECT max(n) FROM (SELECT count(DISTINCT k.sort_key) AS n FROM keyword k
        WHERE k.campaign_id = c.id AND ${enabled} GROUP BY k.ad_group_id)), 0)
      FROM json_each(?) j JOIN campaign c ON c.id = j.value`,
    JSON.stringify(ids),
  );
  return new Map(
    found.map(([id, name, distinct]) => [
      rowIdOf(id),
      { name: asTextOrNull(name ?? null) ?? '', distinct: asNumber(distinct) },
    ]),
  );
}

async function* enabledKeywords(db: Db): AsyncGenerator<{ readonly key: string; readonly campaignId: RowId }> {
  const { text, matchType, enabled } = keywordSql();
  const sql = `SELECT k.id, k.campaign_id, k.${matchType.sql}, k.${text.sql} FROM keyword k
    WHERE k.id > ?1 AND ${enabled} ORDER BY k.id LIMIT ?2`;
  for await (const [, campaignId, match, words] of rowsInTurns(db, sql)) {
    const loose = normalizedText(asTextOrNull(words) ?? '');
    if (loose !== '') yield { key: `${match}/${loose}`, campaignId: rowIdOf(campaignId) };
  }
}

/** The first keywords that two campaigns share, and the number of further ones. */
export function readSharedKeywords(
  db: Db,
  campaignIds: readonly [RowId, RowId],
): { readonly keywords: SharedKeyword[]; readonly more: number } {
  const { text, matchType, enabled } = keywordSql();
  const bid = columnNamed(tableOf('keyword'), 'bid');
  const sql = `SELECT k.id, k.${text.sql}, k.${matchType.sql}, k.${bid.sql} FROM keyword k
    WHERE k.campaign_id = ? AND ${enabled} ORDER BY k.sort_key, k.id`;
  const [mine, theirs] = campaignIds.map((campaignId) => {
    const byKey = new Map<
      string,
      { readonly id: RowId; readonly text: string; readonly match: string; readonly bid: number | null }
    >();
    for (const [id, words, match, cents] of db.all(sql, campaignId)) {
      const text = asTextOrNull(words ?? null) ?? '';
      const loose = normalizedText(text);
      const key = `${match}/${loose}`;
      const word = String(fromStored(matchType.spec, match ?? null) ?? '');
      if (loose !== '' && !byKey.has(key))
        byKey.set(key, { id: rowIdOf(id), text, match: word, bid: asNumberOrNull(cents ?? null) });
    }
    return byKey;
  });
  const keywords = [...(mine ?? [])].flatMap(([key, one]): readonly SharedKeyword[] => {
    const other = theirs?.get(key);
    if (other === undefined) return [];
    const rows: SharedKeyword['rows'] = [
      { id: one.id, bid: one.bid },
      { id: other.id, bid: other.bid },
    ];
    return [{ text: one.text, matchType: one.match, rows }];
  });
  const first = keywords.slice(0, OVERLAP_KEYWORDS_MAX);
  return { keywords: first, more: keywords.length - first.length };
}

function keywordSql() {
  const table = tableOf('keyword');
  const state = columnNamed(table, 'state');
  const word = toStored(state.spec, 'enabled');
  return {
    text: columnNamed(table, 'text'),
    matchType: columnNamed(table, 'matchType'),
    enabled: `k.dirty & ${DELETED} = 0 AND k.${state.sql} IS ${typeof word === 'number' ? word : `'${word}'`}`,
  };
}
