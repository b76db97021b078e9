import { parseHundredths } from '../decimal.ts';
import { type Fields, isFields } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { Row } from '../store.ts';
import { type ControlCall, type ControlRoute, fieldsOf, idOf } from './route.ts';

/**
 * `POST /sandbox/console/<rows>/{id}`: another person's edit, for tests of conflicts. The body is the changed fields
 * in the names of the API; unlike the API, the console asks no questions about state.
 */
interface EditableTable {
  readonly table: string;
  readonly key: string;
  /** API field to column; amounts are decimal, the rest text. */
  readonly columns: Readonly<Record<string, readonly [column: string, kind: 'text' | 'amount']>>;
}

const tables: Readonly<Record<string, EditableTable>> = {
  'ad-groups': {
    table: 'ad_group',
    key: 'ad_group_id',
    columns: { name: ['name', 'text'], status: ['status', 'text'] },
  },
  'ad-items': {
    table: 'ad_item',
    key: 'ad_item_id',
    columns: {
      bid: ['bid', 'amount'],
      status: ['status', 'text'],
      reviewStatus: ['review_status', 'text'],
      reviewReason: ['review_reason', 'text'],
    },
  },
  keywords: {
    table: 'keyword',
    key: 'keyword_id',
    columns: { bid: ['bid', 'amount'], state: ['state', 'text'], status: ['status', 'text'] },
  },
  'sba-profiles': {
    table: 'sba_profile',
    key: 'sba_profile_id',
    columns: {
      searchAmpName: ['search_amp_name', 'text'],
      headlineText: ['headline_text', 'text'],
      clickUrl: ['click_url', 'text'],
      logoUrl: ['logo_url', 'text'],
      status: ['status', 'text'],
      reviewStatus: ['review_status', 'text'],
      reviewReason: ['review_reason', 'text'],
    },
  },
  'ad-group-media': {
    table: 'ad_group_media',
    key: 'ad_group_media_id',
    columns: {
      status: ['status', 'text'],
      reviewStatus: ['review_status', 'text'],
      reviewReason: ['review_reason', 'text'],
    },
  },
  media: { table: 'media', key: 'media_id', columns: { name: ['name', 'text'], status: ['status', 'text'] } },
  multipliers: { table: 'multiplier', key: 'multiplier_id', columns: { multiplier: ['multiplier', 'amount'] } },
};

/** Other names people use for the same rows. */
const aliases: Readonly<Record<string, string>> = {
  'video-profiles': 'ad-group-media',
  'placement-multipliers': 'multipliers',
  'platform-multipliers': 'multipliers',
};

export const consoleRowRoutes: readonly ControlRoute[] = [...Object.keys(tables), ...Object.keys(aliases)].flatMap(
  (name) => {
    const editable = tables[aliases[name] ?? name];
    if (editable === undefined) return [];
    const handle: ControlRoute['handle'] = (service, call) => editRow(service, call, editable);
    return [{ method: 'POST', path: `/sandbox/console/${name}/:id`, handle }];
  },
);

function editRow(service: Service, call: ControlCall, editable: EditableTable): unknown {
  const id = idOf(call, 'id');
  const { table, key } = editable;
  const find = () => service.store.one<Row>(`SELECT * FROM ${table} WHERE ${key} = ?`, id);
  if (find() === undefined) throw new Refusal(404, 'No such row');
  const changes = readChanges(fieldsOf(call), editable);
  service.store.inTransaction(() => {
    for (const [column, value] of changes) {
      service.store.run(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`, value, id);
    }
  });
  const { logo: _logo, ...row } = find() ?? {};
  return row;
}

function readChanges(fields: Fields, editable: EditableTable): readonly (readonly [string, string | number | null])[] {
  const entries = Object.entries(isFields(fields) ? fields : {});
  if (entries.length === 0) throw new Refusal(400, 'Send the changed fields');
  return entries.map(([name, value]) => {
    const known = Object.hasOwn(editable.columns, name) ? editable.columns[name] : undefined;
    if (known === undefined) {
      throw new Refusal(400, `Field ${name} cannot be changed; known: ${Object.keys(editable.columns).join(', ')}`);
    }
    const [column, kind] = known;
    if (kind === 'text') {
      if (typeof value !== 'string' && value !== null) throw new Refusal(400, `${name} must be text`);
      return [column, value];
    }
    const amount = parseHundredths(value);
    if (amount === null || amount.negative) throw new Refusal(400, `${name} must be a decimal number`);
    return [column, amount.hundredths];
  });
}
