import { parseHundredths } from '../decimal.ts';
import { type Fields, isFields } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import { itemStatuses } from '../resources/ad-item-changes.ts';
import { judgeEnabled, keywordStates } from '../resources/keyword-changes.ts';
import { disableOtherProfiles } from '../resources/sba-update.ts';
import type { Service } from '../service.ts';
import type { Row } from '../store.ts';
import { type ControlCall, type ControlRoute, fieldsOf, idOf } from './route.ts';

/**
 * `POST /sandbox/console/<rows>/{id}`: another person's edit, for tests of conflicts. The body is the changed fields
 * in the names of the API. Unlike the API, the console does not ask whether a campaign is live or under review; but it
 * knows no words outside the tables of states either, and what has ended stays ended.
 */
type Column = readonly [column: string, kind: 'text' | 'optional text' | 'amount' | readonly string[]];

interface EditableTable {
  readonly table: string;
  readonly key: string;
  /** API field to column; a list names the words it may hold. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The column and the word after which a row no longer changes. */
  readonly final?: readonly [column: string, word: string];
  /** What the change breaks, or sets right in other rows. Runs in the transaction of the change. */
  readonly settle?: (service: Service, row: Row, id: number) => void;
}

const switchable: Column = ['status', ['enabled', 'disabled']];
const reviewed: Readonly<Record<string, Column>> = {
  reviewStatus: ['review_status', ['pending', 'approved', 'rejected']],
  reviewReason: ['review_reason', 'optional text'],
};

const tables: Readonly<Record<string, EditableTable>> = {
  'ad-groups': {
    table: 'ad_group',
    key: 'ad_group_id',
    columns: { name: ['name', 'text'], status: switchable },
  },
  'ad-items': {
    table: 'ad_item',
    key: 'ad_item_id',
    columns: { bid: ['bid', 'amount'], status: ['status', itemStatuses], ...reviewed },
    final: ['status', 'deleted'],
  },
  keywords: {
    table: 'keyword',
    key: 'keyword_id',
    columns: {
      bid: ['bid', 'amount'],
      state: ['state', keywordStates],
      status: ['status', ['pending', 'approved', 'rejected']],
    },
    final: ['state', 'archived'],
    settle: (service, row) => {
      const problem = row['state'] === 'enabled' ? judgeEnabled(service, Number(row['ad_group_id'])) : null;
      if (problem !== null) throw new Refusal(409, problem);
    },
  },
  'sba-profiles': {
    table: 'sba_profile',
    key: 'sba_profile_id',
    columns: {
      searchAmpName: ['search_amp_name', 'text'],
      headlineText: ['headline_text', 'text'],
      clickUrl: ['click_url', 'text'],
      logoUrl: ['logo_url', 'text'],
      status: switchable,
      reviewStatus: ['review_status', ['pending', 'complete']],
      reviewReason: ['review_reason', 'optional text'],
    },
    settle: (service, row, id) => {
      if (row['status'] === 'enabled') disableOtherProfiles(service, Number(row['ad_group_id']), id);
    },
  },
  'ad-group-media': {
    table: 'ad_group_media',
    key: 'ad_group_media_id',
    columns: { status: switchable, ...reviewed },
  },
  media: {
    table: 'media',
    key: 'media_id',
    columns: { name: ['name', 'text'], status: ['status', ['available', 'failed']] },
  },
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
  const { table, key, final, settle } = editable;
  const find = () => service.store.one<Row>(`SELECT * FROM ${table} WHERE ${key} = ?`, id);
  const present = find();
  if (present === undefined) throw new Refusal(404, 'No such row');
  const changes = readChanges(fieldsOf(call), editable);
  if (final !== undefined && present[final[0]] === final[1]) throw new Refusal(409, `Row is ${final[1]}`);
  service.store.inTransaction(() => {
    for (const [column, value] of changes) {
      service.store.run(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`, value, id);
    }
    const changed = find();
    const isSwitched = changes.some(([column]) => column === 'state' || column === 'status');
    if (isSwitched && changed !== undefined) settle?.(service, changed, id);
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
    if (kind === 'optional text' && value === null) return [column, null];
    if (kind === 'text' || kind === 'optional text') {
      if (typeof value !== 'string') throw new Refusal(400, `${name} must be text`);
      return [column, value];
    }
    if (kind !== 'amount') {
      const word = kind.find((candidate) => candidate === value);
      if (word === undefined) throw new Refusal(400, `${name} must be one of ${kind.join(', ')}`);
      return [column, word];
    }
    const amount = parseHundredths(value);
    if (amount === null || amount.negative) throw new Refusal(400, `${name} must be a decimal number`);
    return [column, amount.hundredths];
  });
}
