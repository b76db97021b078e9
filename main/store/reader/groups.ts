import type { GroupBy } from '../../../shared/api/choices.ts';
import type { ViewGroup } from '../../../shared/api/views.ts';
import { CAMPAIGN_STATES, STATUS_NAMES } from '../../../shared/lifecycle/states.ts';
import { asNumber, asText, asTextOrNull, type Db, readIds, rowIdOf, snapshot } from '../db/db.ts';
import { campaignNameSql } from '../rows/campaign-ids.ts';
import { columnOf, type Table, tableOf } from '../schema/tables.ts';
import { stateSql } from './search-sql.ts';

/** SQL of a grouping over `k` and its campaign `c`: the number of a row's group, and the order of the groups. */
interface Grouping {
  readonly key: string;
  readonly order: readonly string[];
  readonly needsCampaign: boolean;
  /** A join that only the order needs. */
  readonly join?: string;
}

/**
 * The position of a row's campaign in name order. Calculated once per campaign: once per row would take another half
 * second for 200,000 rows.
 */
export const CAMPAIGN_PLACE = {
  sql: 'n.place',
  join: `LEFT JOIN (SELECT id, row_number() OVER (ORDER BY natural(sort_key), id) AS place FROM campaign) n
    ON n.id = k.campaign_id`,
} as const;

/** Group numbers after all choices: for an unknown word, and for an empty cell. */
const UNKNOWN = 14;
const NONE = 15;
const choiceKey = (column: string): string =>
  `iif(typeof(${column}) = 'text', ${UNKNOWN}, coalesce(${column}, ${NONE}))`;

/** Null if rows of the kind can't be grouped this way. */
export function groupingSql(table: Table, by: GroupBy): Grouping | null {
  const { kind, code } = table;
  const isCampaign = kind === 'campaign';
  if (kind === 'media') return null;
  const alone = (key: string, needsCampaign: boolean): Grouping => ({ key, order: [key], needsCampaign });
  switch (by) {
    case 'campaign':
      if (isCampaign) return null;
      return {
        key: 'coalesce(k.campaign_id, 0)',
        order: [CAMPAIGN_PLACE.sql],
        needsCampaign: false,
        join: CAMPAIGN_PLACE.join,
      };
    case 'type': {
      const of = isCampaign ? 'k' : 'c';
      const key = `${choiceKey(`${of}."campaignType"`)} * 16 + ${choiceKey(`${of}."targetingType"`)}`;
      return alone(key, !isCampaign);
    }
    case 'match':
      return columnOf(table, 'matchType') === undefined ? null : alone(choiceKey('k."matchType"'), false);
    case 'status': {
      const own = isCampaign ? 'coalesce(k."campaignState", 0)' : stateSql(table);
      return own === null ? null : alone(own, !isCampaign);
    }
    case 'label': {
      const first = (column: string): string => `(SELECT ${column} FROM row_label r JOIN label l ON l.id = r.label
        WHERE r.kind = ${code} AND r.id = k.id ORDER BY natural(l.name_key) LIMIT 1)`;
      const name = first('natural(l.name_key)');
      return { key: `coalesce(${first('l.id')}, 0)`, order: [`(${name} IS NULL)`, name], needsCampaign: false };
    }
  }
}

/** Start positions of the groups in an order, and their numbers. */
export interface Outline {
  readonly from: Int32Array;
  readonly keys: Int32Array;
}

/**
 * Finds the groups of an order. Rows that were appended since the view was opened form groups of their own at its end.
 */
export function outlineOf(db: Db, table: Table, by: GroupBy, order: Int32Array): Outline {
  const grouping = groupingSql(table, by);
  if (grouping === null) return { from: new Int32Array(0), keys: new Int32Array(0) };
  const join = grouping.needsCampaign ? 'LEFT JOIN campaign c ON c.id = k.campaign_id' : '';
  const [ids, keys] = snapshot(db, () => [
    readIds(db, `SELECT id FROM ${table.name} ORDER BY id`),
    readIds(db, `SELECT ${grouping.key} AS id FROM ${table.name} k ${join} ORDER BY k.id`),
  ]);
  const keyOf = new Int32Array((ids[ids.length - 1] ?? 0) + 1);
  for (let at = 0; at < ids.length; at++) keyOf[ids[at] ?? 0] = keys[at] ?? 0;
  const from: number[] = [];
  const found: number[] = [];
  let last = -1;
  for (let at = 0; at < order.length; at++) {
    const key = keyOf[order[at] ?? 0] ?? 0;
    if (key === last) continue;
    last = key;
    from.push(at);
    found.push(key);
  }
  return { from: Int32Array.from(from), keys: Int32Array.from(found) };
}

type Named = Pick<ViewGroup, 'name' | 'state' | 'picture' | 'campaignId'>;

/** The names of the groups with these numbers; empty for rows without a value. */
export function groupNames(db: Db, by: GroupBy, keys: readonly number[]): ReadonlyMap<number, Named> {
  const plain = { campaignId: null, state: null, picture: null };
  if (by === 'campaign') {
    const found = db.all(
      `SELECT c.id, ${campaignNameSql('c')}, c."campaignState", (SELECT i."itemId" FROM ad_item i WHERE i.campaign_id = c.id ORDER BY i.id LIMIT 1)
       FROM campaign c WHERE c.id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(keys),
    );
    return new Map(
      found.map(([id, name, state, picture]) => [
        asNumber(id),
        {
          campaignId: rowIdOf(id),
          name: asTextOrNull(name) ?? '',
          state: CAMPAIGN_STATES[Number(state ?? 0)] ?? null,
          picture: asTextOrNull(picture),
        },
      ]),
    );
  }
  if (by === 'label') {
    const found = db.all(
      'SELECT id, name FROM label WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(keys),
    );
    return new Map(found.map(([id, name]) => [asNumber(id), { ...plain, name: asText(name) }]));
  }
  const nameOf = (key: number): Named => {
    if (by === 'status') {
      const state = CAMPAIGN_STATES[key] ?? 'draft';
      return { ...plain, state, name: STATUS_NAMES[state] };
    }
    if (by === 'match') return { ...plain, name: wordOf('keyword', 'matchType', key) };
    const type = wordOf('campaign', 'campaignType', Math.floor(key / 16));
    const targeting = wordOf('campaign', 'targetingType', key % 16);
    return { ...plain, name: [type, targeting].filter((word) => word !== '').join(' ') };
  };
  return new Map(keys.map((key) => [key, nameOf(key)]));
}

/** The service's word at that position of the choices; empty for none. */
function wordOf(kind: 'keyword' | 'campaign', field: string, place: number): string {
  const type = columnOf(tableOf(kind), field)?.spec.type;
  return type?.is === 'choice' ? (type.choices[place] ?? '') : '';
}
